import type { Indices } from '../walk/indices.ts'

/** Takes the wanted values out of a sequence while it is made, piece after piece from index 0. */
export class Picker {
  readonly #indices: Indices
  readonly #out: Uint32Array
  /** The wanted indices in ascending order, and how many of them were found. */
  readonly #sorted: Uint32Array | undefined
  readonly #values: Uint32Array
  #found = 0

  /** @param out Where the values go, in the order of the indices. */
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
      const { first: wanted, count } = this.#indices
      const from = Math.max(first, wanted)
      const to = Math.min(end, wanted + count)
      if (from < to) this.#out.set(values.subarray(from - first, to - first), from - wanted)
      return
    }
    let found = this.#found
    while (found < sorted.length && sorted[found]! < end) {
      this.#values[found] = values[sorted[found]! - first]!
      found++
    }
    this.#found = found
  }

  /** Puts the values into the order that was asked for, after the last `take`. */
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

function find(sorted: Uint32Array, wanted: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
