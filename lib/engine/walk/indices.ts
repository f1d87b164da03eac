/** What a connector is asked for: mostly first, first + 1, …; else a list. */
export interface Indices {
  readonly count: number
  /** The first index. */
  readonly first: number
  /** Absent when the indices run up one by one from the first. */
  readonly list: Uint32Array | undefined
  readonly max: number
}

const LARGEST = 0xffff_ffff

/** @param count At least 1. */
export function contiguous(first: number, count: number): Indices {
  return { count, first, list: undefined, max: first + count - 1 }
}

/** The values of a dimension as indices of what it leads to. */
export function indicesOf(list: Uint32Array): Indices {
  const count = list.length
  const first = list[0]!
  let at = 1
  if (first + count - 1 <= LARGEST) while (at < count && list[at] === first + at) at++
  if (at >= count) return contiguous(first, count)
  let max = first
  for (let i = 1; i < count; i++) if (list[i]! > max) max = list[i]!
  return { count, first, list, max }
}
