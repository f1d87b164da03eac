/** What a step does, where that is simple enough to say what any number of steps come to. */
export type ClosedForm = Modular | Shift | Flips

/** `(factor · x + offset) mod modulus` for x up to `high`, which is no less than `modulus - 1`; beyond, it reverts. */
export interface Modular {
  readonly kind: 'modular'
  /** 1 … 2^32. */
  readonly modulus: number
  /** Below the modulus, like the offset. */
  readonly factor: number
  readonly offset: number
  readonly high: number
}

/** `x + by` for x from `low` to `high`; elsewhere it reverts. */
export interface Shift {
  readonly kind: 'shift'
  readonly by: number
  readonly low: number
  readonly high: number
}

/** `constant` with the bits of `masks[i]` flipped for each bit i of x that is set: whatever is linear in bits. */
export interface Flips {
  readonly kind: 'flips'
  /** 32 of them. */
  readonly masks: readonly number[]
  readonly constant: number
}

export const TWO_32 = 2 ** 32
