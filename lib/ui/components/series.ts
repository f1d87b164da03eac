import type { Extent } from '#lib/engine/sound/extent.ts'

/** A stream of particles as drawn: x are step indices, ascending; y are values. Equal lengths. */
export interface Points {
  readonly x: number[]
  readonly y: number[]
}

/**
 * At most `2 * columns` points with the shape of the whole: the smallest and largest value of each column, in the order
 * in which they occur, so that no peak is lost. Short data is returned as it is.
 */
export function downsample(data: ArrayLike<number>, columns: number): Points {
  const length = data.length
  const x: number[] = []
  const y: number[] = []
  if (length <= columns * 2) {
    for (let i = 0; i < length; i++) {
      x.push(i)
      y.push(data[i]!)
    }
    return { x, y }
  }
  for (let column = 0; column < columns; column++) {
    const from = Math.floor((column * length) / columns)
    const to = Math.floor(((column + 1) * length) / columns)
    let low = from
    let high = from
    for (let i = from + 1; i < to; i++) {
      if (data[i]! < data[low]!) low = i
      if (data[i]! > data[high]!) high = i
    }
    const first = Math.min(low, high)
    const last = Math.max(low, high)
    x.push(first)
    y.push(data[first]!)
    if (last !== first) {
      x.push(last)
      y.push(data[last]!)
    }
  }
  return { x, y }
}

/** The value axis of a stream: its extent with a little air; a constant stream runs through the middle. */
export function valueRange({ min, max }: Extent): [number, number] {
  const air = max === min ? 1 : (max - min) * 0.08
  return [min - air, max + air]
}
