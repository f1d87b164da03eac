import { downsample, type Points } from '../../components/series.ts'

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

/**
 * Zooms with `step` fixed on the screen where possible.
 *
 * @param factor Below 1 to zoom in, above 1 to zoom out.
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

/** Scrolls a window until `step` is in it. */
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

/** Downsamples to at most two points a column without losing peaks. Steps are those of the stream. */
export function pointsIn(data: readonly number[], { first, last }: Window, columns: number): Points {
  if (first === 0 && last >= data.length - 1) return downsample(data, columns)
  const { x, y } = downsample(data.slice(first, last + 1), columns)
  return { x: x.map((step) => step + first), y }
}
