'use client'

import { PanelLeft } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { Tabs } from '#lib/ui/kit/tabs.tsx'
import { PANE_LIMITS, useEditorChoice, useMediaQuery } from '../common/editor-choice.ts'

const BESIDE = '(min-width: 56.25rem)'
const ROOMY = '(min-width: 68.75rem)'

/** Where only one of them fits. */
const SIDES = [
  ['edit', 'Edit'],
  ['result', 'Result'],
] as const

/**
 * The panes of the studio: parts, editor, result, each with its own scrolling. In narrow windows editor and result are
 * tabs, and the parts open over them.
 *
 * @param result Absent while nothing is open: the editor has its room then.
 * @param piece Whether only what is heard and seen is shown: the result, in the whole window.
 * @param begins What narrow windows begin with.
 * @param front Changes with what is in front: the parts close then.
 * @param exploring Whether the result pane shows variations: narrow windows turn to it then.
 * @param publishing Whether the editor pane shows the card that publishes: it is always in sight then.
 * @param tabs What is open, in narrow windows.
 * @param lesson Docked below the editor, so that it covers nothing.
 */
export function Panes({
  piece,
  begins,
  front,
  exploring,
  publishing,
  tabs,
  parts,
  editor,
  result,
  lesson,
}: {
  piece: boolean
  begins: 'edit' | 'result'
  front: string | null
  exploring: boolean
  publishing: boolean
  tabs: ReactNode
  parts: ReactNode
  editor: ReactNode
  result: ReactNode
  lesson: ReactNode
}) {
  const [choice, change] = useEditorChoice()
  const beside = useMediaQuery(BESIDE, true)
  const both = result !== undefined
  const alone = piece && both && !publishing
  const roomy = useMediaQuery(ROOMY, true)
  const folded = choice.folded || !roomy
  const [over, setOver] = useState(false)
  const [side, setSide] = useState(begins)
  const frame = useRef<HTMLDivElement>(null)
  const shownResult = useRef<HTMLElement>(null)
  const aside = useRef<HTMLElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const id = useId()

  const frontBefore = useRef(front)
  useEffect(() => {
    if (frontBefore.current === front) return
    const wasEmpty = frontBefore.current === null
    frontBefore.current = front
    setOver(false)
    setSide(wasEmpty ? begins : 'edit')
    // What is in front now has not been scrolled.
    if (shownResult.current) shownResult.current.scrollTop = 0
    if (beside || !wasEmpty || begins !== 'result') return
    requestAnimationFrame(() => {
      // The pressed button is gone, and the editor that gets its focus is hidden.
      const { activeElement: focused, body } = document
      if (focused === null || focused === body || !focused.checkVisibility()) {
        shownResult.current?.focus({ preventScroll: true })
      }
    })
  }, [front, begins, beside])
  useEffect(() => {
    if (exploring) setSide('result')
  }, [exploring])
  useEffect(() => {
    if (publishing) setSide('edit')
  }, [publishing])
  useEffect(() => {
    if (!over) return
    const leave = ({ target }: PointerEvent) => {
      if (!(target instanceof Node)) return
      if (!aside.current?.contains(target) && !toggle.current?.contains(target)) setOver(false)
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [over])

  const shown = !folded || over
  const fold = (
    <IconButton
      label="Your work and the library"
      size="size-9 [&>svg]:size-4.5"
      ref={toggle}
      data-opens-parts
      aria-expanded={shown}
      aria-controls={`${id}-parts`}
      onClick={() => {
        if (roomy && !over) change({ folded: !choice.folded })
        else setOver(!over)
      }}
    >
      <PanelLeft className="size-4.5" aria-hidden="true" />
    </IconButton>
  )
  const sizes = {
    '--parts': folded ? '2.75rem' : `${choice.parts}px`,
    '--editor': both ? `${100 - choice.result}fr` : '1fr',
    '--result': both ? `minmax(17rem,${choice.result}fr)` : '0',
  } as React.CSSProperties
  return (
    <div
      ref={frame}
      style={sizes}
      className={`relative flex min-h-0 flex-1 flex-col ${alone ? '' : 'panes:grid panes:grid-cols-[var(--parts)_0_minmax(20rem,var(--editor))_0_var(--result)] panes:grid-rows-[minmax(0,1fr)_auto]'}`}
    >
      {beside || alone ? null : (
        <div className="order-first flex items-stretch border-line border-b">
          {fold}
          <div className="min-w-0 flex-1">{tabs}</div>
          {both ? (
            <Tabs
              label="What is shown"
              names={SIDES}
              chosen={side}
              panelOf={(each) => `${id}-${each}`}
              onChoose={setSide}
              className="shrink-0 border-line border-l"
              look="min-h-11 px-3"
            />
          ) : null}
        </div>
      )}
      {alone ? null : beside && !folded ? (
        <Separator
          label="Width of the parts"
          controls={`${id}-parts`}
          value={choice.parts}
          limits={PANE_LIMITS.parts}
          step={16}
          at={(x) => x - (frame.current?.getBoundingClientRect().left ?? 0)}
          onValue={(width) => change({ parts: width })}
        />
      ) : (
        <span className="max-panes:hidden" />
      )}
      <section
        id={`${id}-edit`}
        aria-label="Editor"
        data-pane="edit"
        className={`@container flex min-h-0 min-w-0 flex-1 flex-col overflow-auto ${alone ? 'hidden' : side === 'edit' ? '' : 'max-panes:hidden'}`}
      >
        {editor}
      </section>
      {beside && both && !alone ? (
        <Separator
          label="Width of the result"
          controls={`${id}-result`}
          value={choice.result}
          limits={PANE_LIMITS.result}
          step={-2}
          at={(x) => {
            const box = frame.current?.getBoundingClientRect()
            const left = frame.current?.querySelector('[data-pane=edit]')?.getBoundingClientRect().left ?? 0
            return box === undefined ? choice.result : ((box.right - x) / (box.right - left)) * 100
          }}
          onValue={(share) => change({ result: share })}
        />
      ) : null}
      {both ? (
        <section
          ref={shownResult}
          id={`${id}-result`}
          tabIndex={-1}
          aria-label="Result"
          data-pane="result"
          className={`@container min-h-0 min-w-0 flex-1 overflow-y-auto outline-none ${alone ? '' : 'panes:row-span-2 panes:border-line panes:border-l'} ${side === 'result' || alone ? '' : 'max-panes:hidden'}`}
        >
          {result}
        </section>
      ) : null}
      <div className="min-w-0 panes:col-start-3 panes:row-start-2">{lesson}</div>
      {/* After the editor, which is what one came for; it stands before it. */}
      <div
        hidden={alone}
        className="relative max-panes:order-first panes:col-start-1 panes:row-span-2 panes:row-start-1 panes:border-line panes:border-r"
      >
        {beside ? (
          <div className={`absolute top-1 z-raised ${folded ? 'left-1' : 'right-1'}`}>{fold}</div>
        ) : null}
        <aside
          ref={aside}
          id={`${id}-parts`}
          data-parts
          aria-label="Your work and the library"
          hidden={!shown}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !over) return
            event.preventDefault()
            setOver(false)
            toggle.current?.focus()
          }}
          className={
            folded
              ? `absolute z-over w-72 max-w-[85vw] overflow-y-auto border-edge border-r bg-ground p-3 shadow-xl ${beside ? 'top-11 bottom-0 left-0 rounded-tr-lg border-t' : 'top-0 left-0 h-[60dvh] border-b'}`
              : 'absolute inset-x-0 top-11 bottom-0 overflow-y-auto px-3 pb-3'
          }
        >
          {shown ? parts : null}
        </aside>
      </div>
    </div>
  )
}

/**
 * Resizes a pane by mouse, touch and arrow keys; a double click sets it back.
 *
 * @param at The value for a horizontal position in the window.
 * @param step What an arrow key to the right adds.
 */
function Separator({
  label,
  controls,
  value,
  limits: [least, most],
  step,
  at,
  onValue,
}: {
  label: string
  controls: string
  value: number
  limits: readonly [number, number]
  step: number
  at: (x: number) => number
  onValue: (value: number) => void
}) {
  const set = (next: number) => onValue(Math.round(Math.max(least, Math.min(most, next))))
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.shiftKey ? 4 * step : step
    const next = new Map([
      ['ArrowRight', value + by],
      ['ArrowLeft', value - by],
      ['Home', least],
      ['End', most],
    ]).get(event.key)
    if (next === undefined) return
    event.preventDefault()
    set(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-controls={controls}
      aria-valuenow={Math.round(value)}
      aria-valuemin={least}
      aria-valuemax={most}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) set(at(event.clientX))
      }}
      className="relative z-handle row-span-2 after:absolute after:inset-y-0 after:-left-1 after:w-2 after:cursor-col-resize after:touch-none after:transition-colors hover:after:bg-accent/40 focus-visible:after:bg-accent touch:after:-left-2 touch:after:w-4"
    />
  )
}
