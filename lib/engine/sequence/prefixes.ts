import { ByteLru } from '../../cache/byte-lru.ts'
import type { Allowance } from '../work.ts'
import type { Loop } from './loop.ts'

/** A sequence from its start: what one run made, the next ones use and make longer. */
interface Prefix {
  readonly values: Uint32Array
  /** Steps made; values at 0 … made are known. */
  readonly made: number
  /** The step after the last one reverts. */
  readonly ends: boolean
}

/** What an entry takes besides its values: the array around them, its key, its place in the cache. */
const ENTRY_BYTES = 400

/** Sequences of loops from their start points. */
export class Prefixes {
  readonly #cache: ByteLru<string, Prefix>

  /** @param bytes Most that is kept. */
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
      const count = allowance.block(steps - made)
      const got = loop.fill(values[made]!, values, made + 1, count, made % loop.calls, allowance.budget)
      made += got
      ends = got < count
    }
    this.#cache.set(key, { values, made, ends }, values.byteLength + ENTRY_BYTES)
    return values.subarray(0, made + 1)
  }
}
