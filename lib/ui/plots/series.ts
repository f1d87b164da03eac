import type { Extent } from '#lib/engine/sound/extent.ts'
import type { Window } from './window.ts'

/** Steps of the smallest and largest value of each column, and its mean value. */
export interface Columns {
  readonly low: Uint32Array
  readonly high: Uint32Array
  readonly mean: Float64Array
}

/** @param count At most as many as there are steps in the window. */
export function columnsOf(data: ArrayLike<number>, { first, last }: Window, count: number): Columns {
  const steps = last - first + 1
  const low = new Uint32Array(count)
  const high = new Uint32Array(count)
  const mean = new Float64Array(count)
  for (let column = 0; column < count; column++) {
    const from = first + Math.floor((column * steps) / count)
    const to = Math.max(from + 1, first + Math.floor(((column + 1) * steps) / count))
    let [least, most] = [from, from]
    let sum = 0
    for (let step = from; step < to; step++) {
      const value = data[step] ?? 0
      if (value < (data[least] ?? 0)) least = step
      else if (value > (data[most] ?? 0)) most = step
      sum += value
    }
    low[column] = least
    high[column] = most
    mean[column] = sum / (to - from)
  }
  return { low, high, mean }
}

/**
 * Steps that a line through a series needs, ascending: all of them, or the smallest and largest value of each column, so
 * that no peak is lost.
 */
export function stepsOfLine(data: ArrayLike<number>, columns: number): readonly number[] {
  const { length } = data
  if (length <= columns * 2) return Array.from({ length }, (_, step) => step)
  const { low, high } = columnsOf(data, { first: 0, last: length - 1 }, columns)
  return Array.from(low, (least, column) => [least, high[column]!]).flatMap(([least = 0, most = 0]) =>
    least === most ? [least] : [Math.min(least, most), Math.max(least, most)],
  )
}

/** The value axis of a stream: its extent with a little air; a constant stream runs through the middle. */
export function valueRange({ min, max }: Extent): [number, number] {
  const air = max === min ? 1 : (max - min) * 0.08
  return [min - air, max + air]
}
