/** Pseudorandom choices, deterministic for a seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    // Neighbouring seeds would start alike.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0
  }

  /** At least 0, less than 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** Both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T
  }

  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items]
    return items.map(() => rest.splice(Math.floor(this.next() * rest.length), 1)[0] as T)
  }

  /** A separate source: the number of its draws does not change what is drawn here. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32))
  }
}
