import { ByteLru } from '../../platform/cache/byte-lru.ts'
import type { Allowance } from '../allowance.ts'
import type { Loop } from './loop.ts'

/** The first values of a sequence; later runs use and extend them. */
interface Prefix {
  readonly values: Uint32Array
  /** Number of steps; values at 0 … made are computed. */
  readonly made: number
  /** Whether the next step reverts. */
  readonly ends: boolean
}

/** Overhead of an entry: array object, key, place in the cache. */
const ENTRY_BYTES = 400

/** LRU cache of sequences by loop and start point. */
export class Prefixes {
  readonly #cache: ByteLru<string, Prefix>

  /** @param bytes Size limit. */
  constructor(bytes: number) {
    this.#cache = new ByteLru(bytes)
  }

  get bytes(): number {
    return this.#cache.bytes
  }

  /** @returns s(0) … s(steps), or fewer values when the step after them reverts. */
  upTo(loop: Loop, start: number, steps: number, allowance: Allowance): Uint32Array {
    const key = `${loop.id}:${start}`
    const known = this.#cache.get(key)
    if (known !== undefined && (known.ends || known.made >= steps)) {
      return known.values.subarray(0, Math.min(known.made, steps) + 1)
    }
    const values = new Uint32Array(steps + 1)
    if (known === undefined) values[0] = start
    else values.set(known.values.subarray(0, known.made + 1))
    let made = known?.made ?? 0
    let ends = false
    while (made < steps && !ends) {
      const count = allowance.nextChunk(steps - made)
      const got = loop.fill(values[made]!, values, made + 1, count, made % loop.calls, allowance.budget)
      made += got
      ends = got < count
    }
    this.#cache.set(key, { values, made, ends }, values.byteLength + ENTRY_BYTES)
    return values.subarray(0, made + 1)
  }
}
