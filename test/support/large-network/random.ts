/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** From 0 up to `below`. */
  whole(below: number): number
  /** Like `whole`, the low ones far more often: what is popular is chosen again. */
  popular(below: number): number
  pick<T>(from: readonly T[]): T
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    whole: (below) => Math.floor(next() * below),
    popular: (below) => Math.floor(next() ** 3 * below),
    pick: (from) => from[Math.floor(next() * from.length)]!,
  }
}
