import { useEffect, useRef, useState } from 'react'
import type { FoundTarget } from './find-target.ts'
import type { Box } from './place-card.ts'

export interface Surroundings {
  readonly target: Box | undefined
  /** Whether the target is the control itself. */
  readonly itself: boolean
  /** What has the focus, unless that is inside the lesson. */
  readonly focused: Box | undefined
  /** Where what is done shows. */
  readonly watched: Box | undefined
}

const NOTHING: Surroundings = { target: undefined, itself: false, focused: undefined, watched: undefined }

/**
 * Where the control of a step is on the screen, kept up while the page moves or changes.
 *
 * @param find Looks for it. Another function looks anew.
 */
export function useSurroundings(find: () => FoundTarget | undefined): Surroundings {
  const [state, setState] = useState(NOTHING)
  const newest = useRef(find)
  newest.current = find

  // biome-ignore lint/correctness/useExhaustiveDependencies: another question, another place
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      const found = newest.current()
      const active = document.activeElement
      const watched = whatIsWatched()
      const outside =
        active instanceof HTMLElement && active !== document.body && active.closest('[data-lesson]') === null
      const next: Surroundings = {
        target: found && boxOf(found.element),
        itself: found?.itself ?? false,
        // Large parts such as the page itself cannot be kept clear.
        focused: outside && active.tagName !== 'MAIN' ? boxOf(active) : undefined,
        watched: watched && boxOf(watched),
      }
      setState((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
    }
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(look)
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
