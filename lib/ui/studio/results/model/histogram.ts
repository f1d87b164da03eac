/** How many values lie between two integers, both included. */
export interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
}

/**
 * Counts values in bins that are equally wide, the last one cut at the largest value. With few different values
 * between the smallest and the largest, every integer has a bin of its own.
 *
 * @param most Most bins, at least 1.
 */
export function histogramOf(data: readonly number[], most: number): Bin[] {
  if (data.length === 0) return []
  let min = data[0]!
  let max = min
  for (const value of data) {
    if (value < min) min = value
    if (value > max) max = value
  }
  const width = Math.ceil((max - min + 1) / most)
  const counts = new Array<number>(Math.ceil((max - min + 1) / width)).fill(0)
  for (const value of data) counts[Math.floor((value - min) / width)]! += 1
  return counts.map((count, index) => {
    const from = min + index * width
    return { from, to: Math.min(max, from + width - 1), count }
  })
}
