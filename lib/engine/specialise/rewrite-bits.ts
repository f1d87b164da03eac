import { bits, MAX_WORD } from '../ranges.ts'
import {
  bigConstant,
  constantLast,
  high,
  isMask,
  isPositive,
  isWord,
  low,
  ONE,
  overflows,
  type Rule,
  termOf,
  wordOf,
  ZERO,
} from './patterns.ts'
import { constant, type Facts, sameValue, type Value } from './value.ts'

const and: Rule = ([left, right], facts, apply) => {
  const [a, b] = constantLast(left, right)
  if (sameValue(a, b)) return a
  const word = wordOf(b)
  if (word === undefined) return undefined
  if (word === 0n) return ZERO
  const inner = termOf(a, 'AND')
  if (inner !== undefined) {
    const [x, y] = constantLast(...(inner.operands as [Value, Value]))
    const innerWord = wordOf(y)
    if (innerWord !== undefined && (word & innerWord) !== innerWord)
      return apply('AND', x, bigConstant(word & innerWord))
    if (innerWord !== undefined && isMask(innerWord) && high(x, facts) <= innerWord) return x
  }
  return isMask(word) && high(a, facts) <= word ? a : undefined
}

const or: Rule = ([left, right], facts) => {
  const [a, b] = constantLast(left, right)
  if (isWord(b, 0) || sameValue(a, b)) return a
  if (isWord(b, 1) && high(a, facts) <= 1n) return ONE
  return productIsSound(a, b, facts) || productIsSound(b, a, facts) ? ONE : undefined
}

/** `x == 0 || (x * y) / x == y`: how the compiler asks whether a product overflowed. Here it cannot. */
function productIsSound(zero: Value, sound: Value, facts: Facts): boolean {
  const factor = termOf(zero, 'ISZERO')?.operands[0]
  const [p, q] = termOf(sound, 'EQ')?.operands ?? []
  if (factor === undefined || p === undefined || q === undefined) return false
  return [
    [p, q],
    [q, p],
  ].some(([quotient, other]) => {
    const [product, divisor] = termOf(quotient, 'DIV')?.operands ?? []
    const multiplied = termOf(product, 'MUL')
    if (multiplied === undefined || divisor === undefined || other === undefined) return false
    if (!sameValue(divisor, factor) || overflows(multiplied, facts)) return false
    const [x, y] = multiplied.operands as [Value, Value]
    return (sameValue(x, factor) && sameValue(y, other)) || (sameValue(y, factor) && sameValue(x, other))
  })
}

const xor: Rule = ([left, right]) => {
  const [a, b] = constantLast(left, right)
  return sameValue(a, b) ? ZERO : isWord(b, 0) ? a : undefined
}

const shl: Rule = ([shift, value], facts) => {
  if (isWord(shift, 0)) return value
  return low(shift, facts) > 255n || high(value, facts) === 0n ? ZERO : undefined
}

const shr: Rule = ([shift, value], facts, apply) => {
  if (isWord(shift, 0)) return value
  const least = low(shift, facts)
  if (least > 255n || high(value, facts) >> least === 0n) return ZERO
  const by = wordOf(shift)
  const masked = termOf(value, 'AND')?.operands
  if (by !== undefined && masked !== undefined) {
    const [of, mask] = constantLast(...(masked as [Value, Value]))
    const word = wordOf(mask)
    if (word !== undefined) return apply('AND', apply('SHR', shift, of), bigConstant(word >> by))
  }
  const shifted = termOf(value, 'SHL')
  const back = shifted === undefined ? undefined : wordOf(shifted.operands[0]!)
  if (by === undefined || back === undefined) return undefined
  const of = shifted!.operands[1]!
  const moved =
    back > by ? apply('SHL', bigConstant(back - by), of) : apply('SHR', bigConstant(by - back), of)
  return apply('AND', moved, bigConstant(MAX_WORD >> by))
}

const byte: Rule = ([index, value], _facts, apply) => {
  const place = wordOf(index)
  if (place === undefined) return undefined
  if (place > 31n) return ZERO
  return apply('AND', apply('SHR', constant(8 * (31 - Number(place))), value), constant(0xff))
}

const signextend: Rule = ([size, value], facts) => {
  const bytes = wordOf(size)
  if (bytes === undefined) return undefined
  return bytes > 30n || bits(high(value, facts)) < 8n * (bytes + 1n) ? value : undefined
}

const sar: Rule = ([shift, value], facts, apply) =>
  isPositive(value, facts) ? apply('SHR', shift, value) : undefined

export const BITS: Readonly<Record<string, Rule>> = {
  AND: and,
  OR: or,
  XOR: xor,
  SHL: shl,
  SHR: shr,
  SAR: sar,
  BYTE: byte,
  SIGNEXTEND: signextend,
}
