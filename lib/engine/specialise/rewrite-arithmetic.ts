import { MAX_WORD, TWO_256 } from '../ranges.ts'
import {
  bigConstant,
  constantLast,
  high,
  isPositive,
  isPower,
  isWord,
  low,
  ONE,
  overflows,
  type Rule,
  termOf,
  wordOf,
  ZERO,
} from './patterns.ts'
import { sameValue, type Value } from './value.ts'

const add: Rule = ([left, right], _facts, apply) => {
  const [a, b] = constantLast(left, right)
  const word = wordOf(b)
  if (word === undefined) return undefined
  if (word === 0n) return a
  // Adding 2^256 - n is how the compiler subtracts n.
  if (word > MAX_WORD / 2n) return apply('SUB', a, bigConstant(TWO_256 - word))
  return undefined
}

const sub: Rule = ([a, b]) => (sameValue(a, b) ? ZERO : isWord(b, 0) ? a : undefined)

const mul: Rule = ([left, right]) => {
  const [a, b] = constantLast(left, right)
  return isWord(b, 0) ? ZERO : isWord(b, 1) ? a : undefined
}

const div: Rule = ([a, b], facts) => {
  if (isWord(b, 1)) return a
  if (high(a, facts) < low(b, facts) || high(b, facts) === 0n) return ZERO
  const product = termOf(a, 'MUL')
  if (product === undefined || low(b, facts) === 0n || overflows(product, facts)) return undefined
  const [p, q] = product.operands as [Value, Value]
  return sameValue(p, b) ? q : sameValue(q, b) ? p : undefined
}

const mod: Rule = ([a, b], facts, apply) => {
  if (high(b, facts) <= 1n) return ZERO
  if (high(a, facts) < low(b, facts)) return a
  const word = wordOf(b)
  if (word !== undefined && isPower(word)) return apply('AND', a, bigConstant(word - 1n))
  return undefined
}

/** Modulo of a sum or product that needs no more than 256 bits. */
const modOf =
  (op: 'ADD' | 'MUL'): Rule =>
  ([a, b, c], facts, apply) => {
    const [x, y] = [high(a, facts), high(b, facts)]
    return (op === 'ADD' ? x + y : x * y) <= MAX_WORD ? apply('MOD', apply(op, a, b), c) : undefined
  }

const exp: Rule = ([a, b], facts, apply) => {
  if (isWord(a, 2)) return apply('SHL', b, ONE)
  const times = wordOf(b)
  if (times === undefined || times > 16n || (times > 1n && high(a, facts) ** times > MAX_WORD))
    return undefined
  let result: Value = ONE
  for (let i = 0n; i < times; i++) result = result === ONE ? a : apply('MUL', result, a)
  return result
}

const unsignedOnly =
  (op: string): Rule =>
  ([a, b], facts, apply) =>
    isPositive(a, facts) && isPositive(b, facts) ? apply(op, a, b) : undefined

export const ARITHMETIC: Readonly<Record<string, Rule>> = {
  ADD: add,
  SUB: sub,
  MUL: mul,
  DIV: div,
  MOD: mod,
  ADDMOD: modOf('ADD'),
  MULMOD: modOf('MUL'),
  EXP: exp,
  SDIV: unsignedOnly('DIV'),
  SMOD: unsignedOnly('MOD'),
}
