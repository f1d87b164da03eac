import { type Modular, TWO_32 } from './form.ts'
import type { Family } from './powers.ts'

/** Lines modulo the same number. */
export const LINES: Family<Modular> = {
  after: (second, first) => ({
    ...first,
    factor: product(second.factor, first.factor, first.modulus),
    offset: line(second, first.offset),
  }),
  apply: line,
}

/** A step, by its form; -1 where it reverts. */
export function modularStep(form: Modular, x: number): number {
  return x <= form.high ? line(form, x) : -1
}

function line({ factor, offset, modulus }: Modular, x: number): number {
  return (product(factor, x, modulus) + offset) % modulus
}

/** a · b modulo a number up to 2^32, exactly, for a and b below 2^32: no number on the way needs more than 49 bits. */
function product(a: number, b: number, modulus: number): number {
  if (modulus === TWO_32) return Math.imul(a, b) >>> 0
  const high = ((a >>> 16) * b) % modulus
  return (high * 65_536 + (a & 0xffff) * b) % modulus
}
