import { MAX_WORD, TWO_256 } from '../ranges.ts'
import {
  type Apply,
  bigConstant,
  constantLast,
  high,
  isMask,
  isPositive,
  isWord,
  ONE,
  type Rule,
  termOf,
  wordOf,
  ZERO,
} from './patterns.ts'
import { type Facts, rangeOf, sameValue, type Value } from './value.ts'

const lt: Rule = ([a, b], facts, apply) => {
  if (sameValue(a, b)) return ZERO
  const [left, right] = [rangeOf(a, facts), rangeOf(b, facts)]
  if (left.high < right.low) return ONE
  if (left.low >= right.high) return ZERO
  return sumWrapped(a, b, facts) ?? differenceWrapped(b, a, facts, apply)
}

/** `a + b < a`: how the compiler asks whether a sum overflowed. `undefined` where it might. */
function sumWrapped(sum: Value, part: Value, facts: Facts): Value | undefined {
  const [a, b] = termOf(sum, 'ADD')?.operands ?? []
  if (a === undefined || b === undefined || !(sameValue(a, part) || sameValue(b, part))) return undefined
  return high(a, facts) + high(b, facts) <= MAX_WORD ? ZERO : undefined
}

/** `a - b > a`, or above another bound of a: how the compiler asks whether a difference is below zero. */
function differenceWrapped(value: Value, bound: Value, facts: Facts, apply: Apply): Value | undefined {
  const [a, b] = termOf(value, 'SUB')?.operands ?? []
  if (a === undefined || b === undefined) return undefined
  const limit = sameValue(a, bound) ? undefined : wordOf(bound)
  if (limit === undefined) return sameValue(a, bound) ? apply('LT', a, b) : undefined
  return high(a, facts) <= limit && high(b, facts) < TWO_256 - limit ? apply('LT', a, b) : undefined
}

const gt: Rule = ([a, b, c], facts, apply) => lt([b, a, c], facts, apply)

const signedOrder =
  (op: string): Rule =>
  ([a, b], facts, apply) =>
    isPositive(a, facts) && isPositive(b, facts) ? apply(op, a, b) : undefined

const eq: Rule = ([left, right], facts, apply) => {
  const [a, b] = constantLast(left, right)
  if (sameValue(a, b)) return ONE
  const [x, y] = [rangeOf(a, facts), rangeOf(b, facts)]
  if (x.high < y.low || y.high < x.low) return ZERO
  if (isWord(b, 0)) return apply('ISZERO', a)
  if (isWord(b, 1) && x.high <= 1n) return a
  return unchanged(a, b, apply) ?? unchanged(b, a, apply)
}

/** `v & mask == v`: how the compiler asks whether a value fits. */
function unchanged(masked: Value, value: Value, apply: Apply): Value | undefined {
  const operands = termOf(masked, 'AND')?.operands
  if (operands === undefined) return undefined
  const [a, b] = constantLast(...(operands as [Value, Value]))
  const word = wordOf(b)
  if (word === undefined || !isMask(word) || !sameValue(a, value)) return undefined
  return apply('LT', a, bigConstant(word + 1n))
}

const iszero: Rule = ([a], facts, apply) => {
  const { low: least, high: most } = rangeOf(a, facts)
  if (least > 0n) return ZERO
  if (most === 0n) return ONE
  const inner = termOf(a, 'ISZERO')?.operands[0]
  if (inner !== undefined && high(inner, facts) <= 1n) return inner
  const compared = termOf(a, 'XOR') ?? termOf(a, 'SUB')
  return compared === undefined ? undefined : apply('EQ', ...compared.operands)
}

export const COMPARISON: Readonly<Record<string, Rule>> = {
  LT: lt,
  GT: gt,
  SLT: signedOrder('LT'),
  SGT: signedOrder('GT'),
  EQ: eq,
  ISZERO: iszero,
}
