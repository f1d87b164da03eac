/** Indices at which a connector is evaluated: a contiguous range, or a list. */
export interface Indices {
  readonly count: number
  readonly first: number
  /** Undefined for a contiguous range. */
  readonly list: Uint32Array | undefined
  readonly max: number
}

const MAX_UINT32 = 0xffff_ffff

/** @param count At least 1. */
export function contiguous(first: number, count: number): Indices {
  return { count, first, list: undefined, max: first + count - 1 }
}

/** The values of a dimension as the indices of its composite. */
export function indicesOf(list: Uint32Array): Indices {
  const count = list.length
  const first = list[0]!
  let at = 1
  if (first + count - 1 <= MAX_UINT32) while (at < count && list[at] === first + at) at++
  if (at >= count) return contiguous(first, count)
  let max = first
  for (let i = 1; i < count; i++) if (list[i]! > max) max = list[i]!
  return { count, first, list, max }
}

/** Picks the values at some indices from a sequence that is computed in chunks from index 0. */
export class Picker {
  readonly #indices: Indices
  readonly #out: Uint32Array
  /** The indices in ascending order; undefined for a contiguous range. */
  readonly #sorted: Uint32Array | undefined
  readonly #values: Uint32Array
  #found = 0

  /** @param out Receives the values in the order of the indices. */
  constructor(indices: Indices, out: Uint32Array) {
    this.#indices = indices
    this.#out = out
    const { list } = indices
    this.#sorted = list === undefined ? undefined : ascending(list) ? list : list.slice().sort()
    this.#values = this.#sorted === undefined || this.#sorted === list ? out : new Uint32Array(list!.length)
  }

  /** @param values s(first), s(first + 1), … */
  take(first: number, values: Uint32Array): void {
    const end = first + values.length
    const sorted = this.#sorted
    if (sorted === undefined) {
      const { first: start, count } = this.#indices
      const from = Math.max(first, start)
      const to = Math.min(end, start + count)
      if (from < to) this.#out.set(values.subarray(from - first, to - first), from - start)
      return
    }
    let position = this.#found
    while (position < sorted.length && sorted[position]! < end) {
      this.#values[position] = values[sorted[position]! - first]!
      position++
    }
    this.#found = position
  }

  /** Restores the order of the indices, after the last `take`. */
  finish(): void {
    const sorted = this.#sorted
    const { list } = this.#indices
    if (sorted === undefined || sorted === list) return
    for (let i = 0; i < list!.length; i++) this.#out[i] = this.#values[find(sorted, list![i]!)]!
  }
}

function ascending(list: Uint32Array): boolean {
  for (let i = 1; i < list.length; i++) if (list[i]! < list[i - 1]!) return false
  return true
}

function find(sorted: Uint32Array, target: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < target) low = middle + 1
    else high = middle
  }
  return low
}
