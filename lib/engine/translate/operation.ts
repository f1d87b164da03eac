import { compute, isArithmetic } from '../arithmetic.ts'
import { MAX_WORD, rangeAfter } from '../ranges.ts'
import type { Word } from '../words.ts'
import { constant, type Value } from './value.ts'

/** The word that a pure opcode gives, simplified where what is known of the operands allows it. */
export function operate(name: string, operands: readonly Value[]): Value {
  const known = operands.map((operand) => operand.constant)
  if (isArithmetic(name) && known.every((value) => value !== undefined)) return constant(compute(name, known))
  const depth = 1 + Math.max(...operands.map((operand) => operand.depth ?? 0))
  return simplify(name, operands) ?? { high: boundOf(name, operands), operation: name, operands, depth }
}

function simplify(name: string, operands: readonly Value[]): Value | undefined {
  const [a, b] = operands as [Value, Value]
  const left = a.constant
  const right = b?.constant
  switch (name) {
    case 'ADD':
      if (left === 0) return b
      if (right === 0) return a
      // Adding what is just below 2^256 is how compilers subtract a constant.
      if (typeof left === 'bigint') return subtractInstead(b, left)
      if (typeof right === 'bigint') return subtractInstead(a, right)
      return undefined
    case 'SUB':
      if (a === b) return constant(0)
      return right === 0 ? a : undefined
    case 'MUL':
      if (left === 0 || right === 0) return constant(0)
      if (left === 1) return b
      return right === 1 ? a : undefined
    case 'DIV':
      if (left === 0 || right === 0) return constant(0)
      return right === 1 ? a : undefined
    case 'MOD':
      if (right !== undefined && a.high < right) return a
      return right === 1 || right === 0 ? constant(0) : undefined
    case 'AND':
      if (left === 0 || right === 0) return constant(0)
      if (left !== undefined && covers(left, b.high)) return b
      if (right !== undefined && covers(right, a.high)) return a
      if (left !== undefined && keepsShifted(left, b)) return b
      return right !== undefined && keepsShifted(right, a) ? a : undefined
    case 'OR':
      if ((left === 1 && b.high <= 1n) || (right === 1 && a.high <= 1n)) return constant(1)
      if (isNegation(a, b) || isNegation(b, a)) return constant(1)
      if (left === 0 || a === b) return b
      return right === 0 ? a : undefined
    case 'XOR':
      if (left === 0) return b
      return right === 0 ? a : undefined
    case 'SHL':
      if (left !== undefined && left > 255) return constant(0)
      return left === 0 ? b : undefined
    case 'SHR':
      if (left === 0) return b
      return left !== undefined && (left > 255 || b.high >> BigInt(left) === 0n) ? constant(0) : undefined
    case 'SAR':
      if (left === 0) return b
      return b.high >> 255n === 0n ? operate('SHR', operands) : undefined
    case 'SDIV':
      return a.high >> 255n === 0n && b.high >> 255n === 0n ? operate('DIV', operands) : undefined
    case 'SMOD':
      return a.high >> 255n === 0n && b.high >> 255n === 0n ? operate('MOD', operands) : undefined
    case 'ADDMOD':
      return a.high + b.high <= MAX_WORD ? remainder('ADD', operands) : undefined
    case 'MULMOD':
      return a.high * b.high <= MAX_WORD ? remainder('MUL', operands) : undefined
    case 'SLT':
      return a.high >> 255n === 0n && b.high >> 255n === 0n ? operate('LT', operands) : undefined
    case 'SGT':
      return a.high >> 255n === 0n && b.high >> 255n === 0n ? operate('GT', operands) : undefined
    case 'SIGNEXTEND':
      if (left === undefined) return undefined
      return left > 30 || b.high >> BigInt(8 * (Number(left) + 1) - 1) === 0n ? b : undefined
    case 'LT':
      if (right !== undefined && a.high < right) return constant(1)
      return right === 0 || a === b || isSumWith(a, b) ? constant(0) : undefined
    case 'GT':
      return operate('LT', [b, a]).constant !== undefined ? operate('LT', [b, a]) : undefined
    case 'EQ':
      if (a === b) return constant(1)
      if (left === 0) return operate('ISZERO', [b])
      if (right === 0) return operate('ISZERO', [a])
      if (left !== undefined && b.high < left) return constant(0)
      if (right !== undefined && a.high < right) return constant(0)
      return quotientOfProduct(a, b) ?? quotientOfProduct(b, a)
    case 'ISZERO':
      return a.operation === 'ISZERO' && (a.operands?.[0]?.high ?? MAX_WORD) <= 1n
        ? a.operands?.[0]
        : undefined
    default:
      return undefined
  }
}

function remainder(name: string, [a, b, modulus]: readonly Value[]): Value {
  return operate('MOD', [operate(name, [a as Value, b as Value]), modulus as Value])
}

function subtractInstead(minuend: Value, added: bigint): Value | undefined {
  const subtracted = MAX_WORD + 1n - added
  return subtracted <= BigInt(Number.MAX_SAFE_INTEGER)
    ? operate('SUB', [minuend, constant(Number(subtracted))])
    : undefined
}

/** Whether `mask` keeps all the bits that a word shifted to the left can have. */
function keepsShifted(mask: Word, { operation, operands }: Value): boolean {
  const shift = operation === 'SHL' ? operands?.[0]?.constant : undefined
  if (typeof shift !== 'number') return false
  const kept = (MAX_WORD << BigInt(shift)) & MAX_WORD
  return (BigInt(mask) & kept) === kept
}

/** Whether `value` is 1 exactly where `other`, which is 0 or 1, is 0. */
function isNegation(value: Value, other: Value): boolean {
  const [negated] = value.operation === 'ISZERO' ? (value.operands ?? []) : []
  if (negated === undefined || other.high > 1n) return false
  return (
    negated === other ||
    (isZeroTest(negated) && isZeroTest(other) && negated.operands?.[0] === other.operands?.[0])
  )
}

function isZeroTest({ operation }: Value): boolean {
  return operation === 'ISZERO'
}

/** Whether `sum` adds something to `part` and cannot wrap: compilers compare the two to see whether it did. */
function isSumWith(sum: Value, part: Value): boolean {
  const [a, b] = sum.operands ?? []
  if (sum.operation !== 'ADD' || a === undefined || b === undefined) return false
  return (isSame(a, part) || isSame(b, part)) && a.high + b.high <= MAX_WORD
}

/** `factor == (factor * other) / other`, which only says that `other` is not zero if the product cannot wrap. */
function quotientOfProduct(factor: Value, quotient: Value): Value | undefined {
  const [product, divisor] = quotient.operands ?? []
  const [a, b] = product?.operands ?? []
  if (quotient.operation !== 'DIV' || product?.operation !== 'MUL' || divisor === undefined) return undefined
  if (a === undefined || b === undefined || a.high * b.high > MAX_WORD) return undefined
  if (!((isSame(a, factor) && isSame(b, divisor)) || (isSame(b, factor) && isSame(a, divisor))))
    return undefined
  if (divisor.constant !== undefined) return constant(1)
  return (factor.constant ?? 0) === 0 ? undefined : operate('ISZERO', [operate('ISZERO', [divisor])])
}

function isSame(a: Value, b: Value): boolean {
  return a === b || (a.constant !== undefined && a.constant === b.constant)
}

/** Whether `mask` is 2^k - 1 and leaves everything up to `high` as it is. */
function covers(mask: Word, high: bigint): boolean {
  const big = BigInt(mask)
  return (big & (big + 1n)) === 0n && high <= big
}

/** The translator knows lower bounds of constants only. */
function boundOf(name: string, operands: readonly Value[]): bigint {
  const ranges = operands.map(({ high, constant: known }) => ({ low: known === undefined ? 0n : high, high }))
  return rangeAfter(name, ranges).high
}
