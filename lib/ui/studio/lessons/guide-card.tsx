'use client'

import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useMediaQuery } from '../common/editor-choice.ts'
import { type Box, placeCard } from './place-card.ts'
import type { FoundTarget } from './use-target.ts'

const WIDE = '(min-width: 64rem)'

/**
 * Where a lesson is read: beside the control it is about, with a ring around that; on a narrow window a sheet at the
 * bottom. Escape leaves it, Alt and L leads back to it.
 *
 * @param find Finds the control.
 * @param share Of the lesson that is done, 0 to 1.
 * @param stepKey Changes with the step: its heading then gets the focus.
 */
export function GuideCard({
  label,
  title,
  place,
  share,
  find,
  stepKey,
  onLeave,
  heading,
  children,
}: {
  label: string
  title: string
  place: string
  share: number
  find: () => FoundTarget | undefined
  stepKey: string
  onLeave: () => void
  heading: string
  children: ReactNode
}) {
  const headingId = useId()
  const card = useRef<HTMLElement>(null)
  const head = useRef<HTMLHeadingElement>(null)
  const wide = useMediaQuery(WIDE, true)
  const [closed, setClosed] = useState(false)
  const { target, itself, focused, watched } = useSurroundings(find)
  const size = useSize(card)
  useBottomInset(wide ? 0 : size.height)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another step, another heading
  useEffect(() => {
    setClosed(false)
    head.current?.focus({ preventScroll: true })
    if (card.current) card.current.scrollTop = 0
    const frame = requestAnimationFrame(() => bringIntoView(find()))
    return () => cancelAnimationFrame(frame)
  }, [stepKey])

  useKeys(card, onLeave, () => {
    setClosed(false)
    const next = card.current?.querySelector<HTMLElement>('[data-lesson-next]')
    ;(next?.getAttribute('aria-disabled') === 'true' ? head.current : (next ?? head.current))?.focus()
  })

  const window = { width: globalThis.innerWidth, height: globalThis.innerHeight }
  const at = wide ? placeCard(size, window, target, focused, watched) : undefined
  return (
    <>
      {target && itself ? <Ring box={target} /> : target ? <Ring box={target} dashed /> : null}
      <aside
        ref={card}
        data-lesson
        aria-label={label}
        aria-keyshortcuts="Alt+L"
        style={at}
        className={
          wide
            ? 'fixed z-10 max-h-[calc(100dvh-1.5rem)] w-88 overflow-y-auto rounded-lg border-2 border-ink bg-raised p-4 shadow-xl'
            : 'fixed inset-x-0 bottom-0 z-10 max-h-[45dvh] overflow-y-auto border-ink border-t-2 bg-raised px-4 pt-2 pb-4 shadow-xl'
        }
      >
        <div className="flex items-center justify-between gap-2 text-ink-soft text-xs">
          <p className="min-w-0 truncate">
            {title} · {place}
          </p>
          <span className="flex shrink-0">
            {wide ? null : (
              <IconButton
                label={closed ? 'Show the lesson' : 'Make the lesson small'}
                expanded={!closed}
                onClick={() => setClosed(!closed)}
              >
                {closed ? <ChevronUp className="size-4" /> : <ChevronDown className="size-4" />}
              </IconButton>
            )}
            <IconButton label="Leave the lesson" onClick={onLeave}>
              <X className="size-4" />
            </IconButton>
          </span>
        </div>
        <div aria-hidden="true" className="mt-1 mb-3 h-0.5 bg-line">
          <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />
        </div>
        <h2 id={headingId} ref={head} tabIndex={-1} className="font-semibold text-lg outline-none">
          {heading}
        </h2>
        <div className="pt-1" hidden={!wide && closed}>
          {children}
        </div>
        {wide ? (
          <p className="mt-3 text-ink-soft text-xs">
            <kbd className="mono">Alt L</kbd> comes back here, <kbd className="mono">Esc</kbd> leaves.
          </p>
        ) : null}
      </aside>
    </>
  )
}

function IconButton({
  label,
  expanded,
  onClick,
  children,
}: {
  label: string
  expanded?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-expanded={expanded}
      onClick={onClick}
      className="grid size-8 cursor-pointer place-items-center rounded-md hover:bg-sunk hover:text-ink pointer-coarse:size-11"
    >
      {children}
    </button>
  )
}

/** Around the control; dashed around what leads to it. */
function Ring({ box: { left, top, width, height }, dashed = false }: { box: Box; dashed?: boolean }) {
  return (
    <div
      aria-hidden="true"
      data-lesson-ring={dashed ? 'way' : 'control'}
      style={{ left: left - 4, top: top - 4, width: width + 8, height: height + 8 }}
      className={`pointer-events-none fixed z-[5] rounded-md border-2 border-accent ${dashed ? 'border-dashed' : ''}`}
    />
  )
}

function useSize(element: { readonly current: HTMLElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 352, height: 240 })
  useLayoutEffect(() => {
    const card = element.current
    if (card === null) return
    const measure = () => setSize({ width: card.offsetWidth, height: card.offsetHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(card)
    return () => observer.disconnect()
  }, [element])
  return size
}

/** Adds padding below the page, so that the sheet covers neither its end nor the focus. */
function useBottomInset(height: number): void {
  useEffect(() => {
    const { documentElement: html, body } = document
    html.style.scrollPaddingBottom = height === 0 ? '' : `${height + 16}px`
    body.style.paddingBottom = height === 0 ? '' : `${height}px`
    return () => {
      html.style.scrollPaddingBottom = ''
      body.style.paddingBottom = ''
    }
  }, [height])
}

/** Only what is out of the window, so that nothing moves without need. */
function bringIntoView(found: FoundTarget | undefined): void {
  if (found === undefined) return
  const { top, bottom } = found.element.getBoundingClientRect()
  if (top < 0 || bottom > globalThis.innerHeight) found.element.scrollIntoView({ block: 'center' })
}

function useKeys(
  card: { readonly current: HTMLElement | null },
  onLeave: () => void,
  onReturn: () => void,
): void {
  const newest = useRef({ onLeave, onReturn })
  newest.current = { onLeave, onReturn }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyL') {
        event.preventDefault()
        newest.current.onReturn()
        return
      }
      if (event.key !== 'Escape' || event.defaultPrevented) return
      // Editors and dialogs have an Escape of their own.
      const at = event.target
      const own = at === document.body || (at instanceof Node && card.current?.contains(at))
      if (own) newest.current.onLeave()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [card])
}

interface Surroundings {
  readonly target: Box | undefined
  /** Whether the target is the control itself. */
  readonly itself: boolean
  /** The focused element outside the lesson. */
  readonly focused: Box | undefined
  /** Where the results are shown. */
  readonly watched: Box | undefined
}

const NOTHING: Surroundings = { target: undefined, itself: false, focused: undefined, watched: undefined }

/**
 * Tracks the rectangles of a step's control, of the focus and of the results.
 *
 * @param find Finds the control.
 */
function useSurroundings(find: () => FoundTarget | undefined): Surroundings {
  const [state, setState] = useState(NOTHING)
  const newest = useRef(find)
  newest.current = find

  // biome-ignore lint/correctness/useExhaustiveDependencies: another question, another place
  useEffect(() => {
    let frame = 0
    const snapshot = () => {
      frame = 0
      const found = newest.current()
      const active = document.activeElement
      const watched = whatIsWatched()
      const outside =
        active instanceof HTMLElement && active !== document.body && active.closest('[data-lesson]') === null
      const next: Surroundings = {
        target: found && boxOf(found.element),
        itself: found?.itself ?? false,
        // The page itself cannot be avoided.
        focused: outside && active.tagName !== 'MAIN' ? boxOf(active) : undefined,
        watched: watched && boxOf(watched),
      }
      setState((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
    }
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(snapshot)
    }
    const changes = new MutationObserver(soon)
    changes.observe(document.body, { subtree: true, childList: true, attributes: true })
    const sizes = new ResizeObserver(soon)
    sizes.observe(document.body)
    const events = ['scroll', 'resize', 'focusin', 'focusout'] as const
    for (const event of events) window.addEventListener(event, soon, { capture: true, passive: true })
    soon()
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      sizes.disconnect()
      for (const event of events) window.removeEventListener(event, soon, { capture: true })
    }
  }, [find])
  return state
}

/** The plan of a publication while it is open, else the particles. */
function whatIsWatched(): HTMLElement | undefined {
  const plan = document.querySelector<HTMLElement>('[aria-labelledby="publication-plan"]')
  if (plan !== null) return plan
  const titles = [...document.querySelectorAll('[data-studio] section h3')]
  const title = titles.find(({ textContent }) => textContent === 'Particles')
  return title?.closest('section') ?? undefined
}

function boxOf(element: HTMLElement): Box {
  const { left, top, width, height } = element.getBoundingClientRect()
  return {
    left: Math.round(left),
    top: Math.round(top),
    width: Math.round(width),
    height: Math.round(height),
  }
}
