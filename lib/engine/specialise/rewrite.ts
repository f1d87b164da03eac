import { bits, MAX_WORD, TWO_256 } from '../ranges.ts'
import { constant, type Facts, rangeOf, sameValue, type Term, type Value } from './value.ts'

/** Applies an opcode to simpler operands. */
type Apply = (op: string, ...operands: Value[]) => Value

/** An equal value for the outcome of an opcode, by its operands; `undefined` when the rule has none. */
type Rule = (operands: readonly [Value, Value, Value], facts: Facts, apply: Apply) => Value | undefined

const ZERO = constant(0)
const ONE = constant(1)

function isWord(value: Value, word: number) {
  return value.kind === 'constant' && value.word === word
}

function wordOf(value: Value): bigint | undefined {
  return value.kind === 'constant' ? BigInt(value.word) : undefined
}

function termOf(value: Value | undefined, op: string): Term | undefined {
  return value?.kind === 'term' && value.op === op ? value : undefined
}

function high(value: Value, facts: Facts) {
  return rangeOf(value, facts).high
}
function low(value: Value, facts: Facts) {
  return rangeOf(value, facts).low
}
function isMask(word: bigint) {
  return (word & (word + 1n)) === 0n
}
function isPower(word: bigint) {
  return word !== 0n && (word & (word - 1n)) === 0n
}

/** The two operands of a symmetric operation, a constant second. */
function constantLast(a: Value, b: Value): readonly [Value, Value] {
  return a.kind === 'constant' ? [b, a] : [a, b]
}

function bigConstant(value: bigint): Value {
  return constant(value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value)
}

function overflows({ operands }: Term, facts: Facts): boolean {
  const [a, b] = operands as [Value, Value]
  return high(a, facts) * high(b, facts) > MAX_WORD
}

function isPositive(value: Value, facts: Facts) {
  return high(value, facts) <= MAX_WORD / 2n
}

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
function modOf(op: 'ADD' | 'MUL'): Rule {
  return ([a, b, c], facts, apply) => {
    const [x, y] = [high(a, facts), high(b, facts)]
    return (op === 'ADD' ? x + y : x * y) <= MAX_WORD ? apply('MOD', apply(op, a, b), c) : undefined
  }
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

/** Applies another operation, which is the same for numbers without a sign bit. */
function unsignedOnly(op: string): Rule {
  return ([a, b], facts, apply) =>
    isPositive(a, facts) && isPositive(b, facts) ? apply(op, a, b) : undefined
}

const ARITHMETIC: Readonly<Record<string, Rule>> = {
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

const lt: Rule = ([a, b], facts, apply) => {
  if (sameValue(a, b)) return ZERO
  const [left, right] = [rangeOf(a, facts), rangeOf(b, facts)]
  if (left.high < right.low) return ONE
  if (left.low >= right.high) return ZERO
  return sumWrapped(a, b, facts) ?? differenceWrapped(b, a, facts, apply)
}

/** `a + b < a`: the compiler's test for an overflowing sum. `undefined` where it might overflow. */
function sumWrapped(sum: Value, part: Value, facts: Facts): Value | undefined {
  const [a, b] = termOf(sum, 'ADD')?.operands ?? []
  if (a === undefined || b === undefined || !(sameValue(a, part) || sameValue(b, part))) return undefined
  return high(a, facts) + high(b, facts) <= MAX_WORD ? ZERO : undefined
}

/** `a - b > a`, or above another bound of a: the compiler's test for a negative difference. */
function differenceWrapped(value: Value, bound: Value, facts: Facts, apply: Apply): Value | undefined {
  const [a, b] = termOf(value, 'SUB')?.operands ?? []
  if (a === undefined || b === undefined) return undefined
  const limit = sameValue(a, bound) ? undefined : wordOf(bound)
  if (limit === undefined) return sameValue(a, bound) ? apply('LT', a, b) : undefined
  return high(a, facts) <= limit && high(b, facts) < TWO_256 - limit ? apply('LT', a, b) : undefined
}

const gt: Rule = ([a, b, c], facts, apply) => lt([b, a, c], facts, apply)

const eq: Rule = ([left, right], facts, apply) => {
  const [a, b] = constantLast(left, right)
  if (sameValue(a, b)) return ONE
  const [x, y] = [rangeOf(a, facts), rangeOf(b, facts)]
  if (x.high < y.low || y.high < x.low) return ZERO
  if (isWord(b, 0)) return apply('ISZERO', a)
  if (isWord(b, 1) && x.high <= 1n) return a
  return unchanged(a, b, apply) ?? unchanged(b, a, apply)
}

/** `v & mask == v`: the compiler's test for a value that fits. */
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

const COMPARISON: Readonly<Record<string, Rule>> = {
  LT: lt,
  GT: gt,
  SLT: unsignedOnly('LT'),
  SGT: unsignedOnly('GT'),
  EQ: eq,
  ISZERO: iszero,
}

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
  // The compiler's form of 32 * (x % 16), the offset of an entry in a table.
  const [shift, shifted] = termOf(a, 'SHL')?.operands ?? []
  const by = shift && wordOf(shift)
  if (by !== undefined && by < 256n && BigInt.asUintN(Number(by), word) === 0n)
    return apply('SHL', shift!, apply('AND', shifted!, bigConstant(word >> by)))
  return isMask(word) && high(a, facts) <= word ? a : undefined
}

const or: Rule = ([left, right], facts) => {
  const [a, b] = constantLast(left, right)
  if (isWord(b, 0) || sameValue(a, b)) return a
  if (isWord(b, 1) && high(a, facts) <= 1n) return ONE
  return productIsSound(a, b, facts) || productIsSound(b, a, facts) ? ONE : undefined
}

/** `x == 0 || (x * y) / x == y`: the compiler's test for an overflowing product, which cannot overflow here. */
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

const signextend: Rule = ([size, value], facts) => {
  const bytes = wordOf(size)
  if (bytes === undefined) return undefined
  return bytes > 30n || bits(high(value, facts)) < 8n * (bytes + 1n) ? value : undefined
}

const BITS: Readonly<Record<string, Rule>> = {
  AND: and,
  OR: or,
  XOR: xor,
  SHL: shl,
  SHR: shr,
  SIGNEXTEND: signextend,
}

const RULES: ReadonlyMap<string, Rule> = new Map(Object.entries({ ...ARITHMETIC, ...COMPARISON, ...BITS }))

/** A simpler value equal to `op` of `operands`, at least one of which is a term; `undefined` when there is none. */
export function rewrite(
  op: string,
  operands: readonly Value[],
  facts: Facts,
  apply: Apply,
): Value | undefined {
  return RULES.get(op)?.(operands as readonly [Value, Value, Value], facts, apply)
}
