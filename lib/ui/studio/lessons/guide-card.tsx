'use client'

import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { keyOfAction } from '#lib/studio/actions.ts'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { useKeys } from '../common/use-keys.ts'
import { type FoundTarget, scrollInPane } from './use-target.ts'

/**
 * Where a lesson is read: docked below the editor, so that it covers nothing, with a ring around the control it is about.
 * Escape leaves it, Alt and L leads back to it.
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
  const card = useRef<HTMLElement>(null)
  const head = useRef<HTMLHeadingElement>(null)
  const [closed, setClosed] = useState(false)
  const target = useRing(find)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another step, another heading
  useEffect(() => {
    setClosed(false)
    head.current?.focus({ preventScroll: true })
    if (card.current) card.current.scrollTop = 0
    const frame = requestAnimationFrame(() => {
      const target = find()
      if (target) scrollInPane(target.element)
    })
    return () => cancelAnimationFrame(frame)
  }, [stepKey])

  useEscape(card, onLeave)
  useKeys((id) => {
    if (id !== 'lesson') return false
    setClosed(false)
    const next = card.current?.querySelector<HTMLElement>('[data-lesson-next]')
    ;(next?.getAttribute('aria-disabled') === 'true' ? head.current : (next ?? head.current))?.focus()
    return true
  })

  return (
    <>
      {target === undefined ? null : <Ring ring={target} />}
      <aside
        ref={card}
        data-lesson
        aria-label={label}
        aria-keyshortcuts={keyOfAction('lesson')}
        className="max-h-[42dvh] overflow-y-auto border-ink border-t-2 bg-raised px-4 pt-1 pb-3"
      >
        <div className="flex items-center justify-between gap-2 text-ink-soft text-xs">
          <p className="min-w-0 truncate">
            {title} · {place}
          </p>
          <span className="flex shrink-0">
            <IconButton
              label={closed ? 'Show the lesson' : 'Make the lesson small'}
              size="size-8"
              aria-expanded={!closed}
              onClick={() => setClosed(!closed)}
            >
              {closed ? <ChevronUp /> : <ChevronDown />}
            </IconButton>
            <IconButton label="Leave the lesson" size="size-8" onClick={onLeave}>
              <X />
            </IconButton>
          </span>
        </div>
        <div aria-hidden="true" className="mb-2 h-0.5 bg-line">
          <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />
        </div>
        <h2 ref={head} tabIndex={-1} className="font-semibold outline-none">
          {heading}
        </h2>
        <div className="pt-1" hidden={closed}>
          {children}
        </div>
      </aside>
    </>
  )
}

/** Around the control; dashed around what leads to it. */
function Ring({ ring: { left, top, width, height, itself } }: { ring: RingBox }) {
  return (
    <div
      aria-hidden="true"
      data-lesson-ring={itself ? 'control' : 'way'}
      style={{ left: left - 4, top: top - 4, width: width + 8, height: height + 8 }}
      className={`pointer-events-none fixed z-over rounded-md border-2 border-accent ${itself ? '' : 'border-dashed'}`}
    />
  )
}

function useEscape(card: { readonly current: HTMLElement | null }, onEscape: () => void): void {
  const leave = useEffectEvent(onEscape)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      // Editors and dialogs have an Escape of their own.
      const at = event.target
      const own = at === document.body || (at instanceof Node && card.current?.contains(at))
      if (own) leave()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [card])
}

/** Pixels of the window. */
interface RingBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Whether this is the control itself. */
  readonly itself: boolean
}

/** Tracks the rectangle of a step's control. */
function useRing(find: () => FoundTarget | undefined): RingBox | undefined {
  const [ring, setRing] = useState<RingBox>()
  useEffect(() => {
    let frame = 0
    const snapshot = () => {
      frame = 0
      const target = find()
      const next = target && { ...boxOf(target.element), itself: target.itself }
      setRing((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
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
  return ring
}

function boxOf(element: HTMLElement) {
  const { left, top, width, height } = element.getBoundingClientRect()
  return {
    left: Math.round(left),
    top: Math.round(top),
    width: Math.round(width),
    height: Math.round(height),
  }
}
