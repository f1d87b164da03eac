/** The visible steps, both ends included. */
export interface Window {
  readonly first: number
  readonly last: number
}

/** Fewest steps that zooming in leaves. */
const FEWEST = 8

export function wholeWindow(steps: number): Window {
  return { first: 0, last: Math.max(0, steps - 1) }
}

export function isWhole({ first, last }: Window, steps: number): boolean {
  return first === 0 && last >= steps - 1
}

/** Whether zooming in changes nothing any more. */
export function isClosest({ first, last }: Window): boolean {
  return last - first < FEWEST
}

/**
 * Zooms with `step` fixed on the screen where possible; by one step at least, so that small factors add up.
 *
 * @param factor Below 1 to zoom in, above 1 to zoom out.
 */
export function zoom({ first, last }: Window, factor: number, step: number, steps: number): Window {
  const length = last - first + 1
  const target = factor < 1 ? Math.floor(length * factor) : Math.ceil(length * factor)
  const next = Math.min(steps, Math.max(Math.min(FEWEST, steps), target))
  const inside = Math.min(last, Math.max(first, step))
  const share = length > 1 ? (inside - first) / (length - 1) : 0
  return placed(Math.round(inside - share * (next - 1)), next, steps)
}

/** Moves a window by so many steps, as far as there are any. */
export function pan({ first, last }: Window, by: number, steps: number): Window {
  return placed(first + Math.round(by), last - first + 1, steps)
}

/** The window between two steps in any order; a few steps more where they are too close. */
export function between(one: number, other: number, steps: number): Window {
  const from = Math.min(one, other)
  const length = Math.max(Math.abs(one - other) + 1, Math.min(FEWEST, steps))
  return placed(from, length, steps)
}

/**
 * Turns the page when a step leaves the window: it begins there, or ends there going back by single steps. A window that
 * did not show the step before it was moved away from it by hand, and stays.
 */
export function follow(window: Window, before: number, step: number, steps: number): Window {
  const { first, last } = window
  const wasInSight = before >= first && before <= last
  if (!wasInSight || (step >= first && step <= last)) return window
  return pan(window, step === first - 1 ? step - last : step - first, steps)
}

/** Cuts a window to a run that may be shorter than the one it was made for. */
export function fitWindow(window: Window, steps: number): Window {
  const last = Math.max(0, steps - 1)
  if (window.first >= last) return wholeWindow(steps)
  return window.last <= last ? window : { first: window.first, last }
}

function placed(first: number, length: number, steps: number): Window {
  const from = Math.min(Math.max(0, first), Math.max(0, steps - length))
  return { first: from, last: from + length - 1 }
}
