import { word } from '../words.ts'
import { type Constant, constant, Unspecialised } from './value.ts'

/** Quantities of a call that differ between calls and steps: only the wrapper's own loop may compute with them. */
export type Quantity = keyof typeof BOUNDS

/** Lowest and highest value of each, as `contracts/Sequence.sol` sends them and the loop counts them. */
const BOUNDS = {
  /** Steps of the call: a piece at most. */
  count: [1n, 2048n],
  /** Argument lists of `cycle`. */
  lists: [2n, 65_535n],
  /** The list that `cycle` begins with. */
  first: [0n, 65_534n],
  /** Where the value of the current step goes in memory. */
  cursor: [0x80n, 0x80n + 4n * 2047n],
  /** Where the argument list of the current step begins in the calldata of `cycle`. */
  list: [0xc4n, 1n << 31n],
} as const satisfies Record<string, readonly [low: bigint, high: bigint]>

/** A constant plus multiples of quantities, modulo 2^256. */
export interface Linear {
  readonly kind: 'linear'
  readonly constant: bigint
  readonly factors: ReadonlyMap<Quantity, bigint>
}

export function linear(constant: bigint, factors: Partial<Record<Quantity, bigint>> = {}): Linear {
  return { kind: 'linear', constant, factors: new Map(Object.entries(factors) as [Quantity, bigint][]) }
}

export function asLinear(value: Constant | Linear): Linear {
  return value.kind === 'linear' ? value : linear(BigInt(value.word))
}

/** A constant where no quantity is left. */
export function reduced(value: Linear): Constant | Linear {
  const { constant: sum, factors } = value
  const terms = [...factors].filter(([, factor]) => signed(factor) !== 0n)
  if (terms.length === 0) return constant(word(BigInt.asUintN(256, sum)))
  return {
    kind: 'linear',
    constant: signed(sum),
    factors: new Map(terms.map(([of, by]) => [of, signed(by)])),
  }
}

export function plus(a: Linear, b: Linear): Linear {
  const factors = new Map(a.factors)
  for (const [of, factor] of b.factors) factors.set(of, (factors.get(of) ?? 0n) + factor)
  return { kind: 'linear', constant: a.constant + b.constant, factors }
}

export function times({ constant: sum, factors }: Linear, by: bigint): Linear {
  return {
    kind: 'linear',
    constant: sum * by,
    factors: new Map([...factors].map(([of, factor]) => [of, factor * by])),
  }
}

export function minus(a: Linear, b: Linear): Linear {
  return plus(a, times(b, -1n))
}

/** Whether two sums are equal for all quantities. */
export function sameSum(a: Constant | Linear, b: Constant | Linear): boolean {
  return isZero(minus(asLinear(a), asLinear(b))) === true
}

/** The sum with a quantity replaced. */
export function substituted(value: Linear, quantity: Quantity, by: Linear): Linear {
  const factor = value.factors.get(quantity)
  if (factor === undefined) return value
  return plus(minus(value, linear(0n, { [quantity]: factor })), times(by, factor))
}

/** Whether the sum is zero, by the bounds of its quantities; `undefined` where that depends on them. */
export function isZero(value: Linear): boolean | undefined {
  const sum = reduced(value)
  if (sum.kind === 'constant') return sum.word === 0
  let low = sum.constant
  let high = sum.constant
  for (const [of, factor] of sum.factors) {
    const ends = BOUNDS[of].map((end) => end * factor)
    low += factor > 0n ? ends[0]! : ends[1]!
    high += factor > 0n ? ends[1]! : ends[0]!
  }
  // Small enough that the sum cannot come round to zero.
  if (low > 0n && high < 1n << 255n) return false
  return high < 0n && low > -(1n << 255n) ? false : undefined
}

/** Applies an opcode to sums: returns the resulting sum, or for a comparison the sum that is zero where it holds. */
export function combine(op: string, operands: readonly Linear[]): Linear | { readonly oneIfZero: Linear } {
  const [a, b] = operands as readonly [Linear, Linear]
  const constantOf = (value: Linear): bigint => {
    const sum = reduced(value)
    if (sum.kind !== 'constant') throw new Unspecialised('the layout of the call')
    return BigInt(sum.word)
  }
  switch (op) {
    case 'ADD':
      return plus(a, b)
    case 'SUB':
      return minus(a, b)
    case 'MUL':
      return reduced(a).kind === 'constant' ? times(b, constantOf(a)) : times(a, constantOf(b))
    case 'SHL':
      return constantOf(a) < 256n ? times(b, 1n << constantOf(a)) : linear(0n)
    case 'NOT':
      return minus(linear(-1n), a)
    case 'EQ':
      return { oneIfZero: minus(a, b) }
    case 'ISZERO':
      return { oneIfZero: a }
    default:
      throw new Unspecialised('the layout of the call')
  }
}

function signed(value: bigint): bigint {
  return BigInt.asIntN(256, value)
}
