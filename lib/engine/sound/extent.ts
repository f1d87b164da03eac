export interface Extent {
  readonly min: number
  readonly max: number
}

/** Smallest and largest value. Of nothing: 0 and 0. */
export function extentOf(data: ArrayLike<number>): Extent {
  if (data.length === 0) return { min: 0, max: 0 }
  let min = data[0]!
  let max = min
  for (let i = 1; i < data.length; i++) {
    const value = data[i]!
    if (value < min) min = value
    else if (value > max) max = value
  }
  return { min, max }
}
