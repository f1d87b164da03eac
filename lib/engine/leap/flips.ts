import type { Flips } from './form.ts'
import type { Family } from './powers.ts'

/** Functions that are linear in bits: matrices over the numbers 0 and 1. */
export const MATRICES: Family<Flips> = {
  after: (second, first) => ({
    ...first,
    masks: first.masks.map((mask) => flip(second.masks, 0, mask)),
    constant: flipped(second, first.constant),
  }),
  apply: flipped,
}

/** A step, by its form. */
export function flipped({ masks, constant }: Flips, x: number): number {
  return flip(masks, constant, x)
}

function flip(masks: readonly number[], start: number, x: number): number {
  let bits = start
  for (let i = 0, left = x; left !== 0; i++, left >>>= 1) if ((left & 1) === 1) bits ^= masks[i]!
  return bits >>> 0
}
