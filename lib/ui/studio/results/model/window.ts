import { downsample, type Points } from '../../../series.ts'

/** Steps that are looked at: from the first to the last, both included. */
export interface Window {
  readonly first: number
  readonly last: number
}

/** Fewest steps that zooming in leaves. */
const FEWEST = 8

export function wholeWindow(steps: number): Window {
  return { first: 0, last: Math.max(0, steps - 1) }
}

/**
 * Half or twice as many steps, with `step` staying where it is on the screen as far as that is possible.
 *
 * @param factor Below 1 to come closer, above 1 to step back.
 */
export function zoom({ first, last }: Window, factor: number, step: number, steps: number): Window {
  const length = last - first + 1
  const next = Math.min(steps, Math.max(Math.min(FEWEST, steps), Math.round(length * factor)))
  const inside = Math.min(last, Math.max(first, step))
  const share = length > 1 ? (inside - first) / (length - 1) : 0
  const start = Math.round(inside - share * (next - 1))
  const from = Math.min(Math.max(0, start), Math.max(0, steps - next))
  return { first: from, last: from + next - 1 }
}

/** The same number of steps, moved just so far that `step` is among them. */
export function reveal(window: Window, step: number): Window {
  if (step >= window.first && step <= window.last) return window
  const by = step < window.first ? step - window.first : step - window.last
  return { first: window.first + by, last: window.last + by }
}

/** Cuts a window to a run that may be shorter than the one it was made for. */
export function fitWindow(window: Window, steps: number): Window {
  const last = Math.max(0, steps - 1)
  if (window.first >= last) return wholeWindow(steps)
  return window.last <= last ? window : { first: window.first, last }
}

/** At most two points a column that look like the whole: no peak is lost. Steps are those of the stream. */
export function pointsIn(data: readonly number[], { first, last }: Window, columns: number): Points {
  if (first === 0 && last >= data.length - 1) return downsample(data, columns)
  const { x, y } = downsample(data.slice(first, last + 1), columns)
  return { x: x.map((step) => step + first), y }
}
