import { MAX_SAFE } from '../ranges.ts'
import { firstIndex, isConstantTable } from './tables.ts'
import { type Facts, MAX_32, rangeOf, type Term, type Value } from './value.ts'

/** Names that the text of a formula may use. */
interface EmitScope {
  readonly facts: Facts
  /** The text of a value, computed if it was not yet. */
  readonly value: (value: Value) => string
  readonly isReady: (term: Term) => boolean
  /** The name of the table that a term reads from. */
  readonly table: (term: Term) => string
}

/** Deeper conditions are computed on their own: what they share would be written out again and again. */
const DEEPEST_TEST = 4

/** Division of doubles below this never rounds up to the next integer. */
const MAX_DIVIDED = 1n << 52n

/** The text that computes a term: plain arithmetic where every number on the way is exact, else a function of `h`. */
export function formula(term: Term, scope: EmitScope): string {
  return plain(term, scope) ?? exact(term, scope)
}

function exact({ op, operands }: Term, { value }: EmitScope): string {
  if (op === 'KECCAK256') return `h.keccakPacked(${operands.map(value).join()})`
  return `h.${op.toLowerCase()}(${operands.map(value).join()})`
}

/** The text of a condition on a term being other than zero, or being zero. */
export function test(condition: Value, holds: boolean, scope: EmitScope, depth = 0): string {
  if (condition.kind === 'term' && depth < DEEPEST_TEST && !scope.isReady(condition)) {
    const [a, b] = condition.operands as readonly [Value, Value]
    const compared = (sign: string, opposite: string) => {
      const [left, right] = comparable(a, b, scope)
      return `${left}${holds ? sign : opposite}${right}`
    }
    switch (condition.op) {
      case 'ISZERO':
        return test(a, !holds, scope, depth + 1)
      case 'LT':
        return compared('<', '>=')
      case 'GT':
        return compared('>', '<=')
      case 'EQ':
        return compared('===', '!==')
      case 'AND':
      case 'OR':
        // Operands are computed either way: neither has an effect.
        if (isBit(a, scope) && isBit(b, scope)) {
          const sign = (condition.op === 'AND') === holds ? '&&' : '||'
          return `(${test(a, holds, scope, depth + 1)}${sign}${test(b, holds, scope, depth + 1)})`
        }
    }
  }
  return `${scope.value(condition)}${holds ? '!==' : '==='}0`
}

function isBit(value: Value, { facts }: EmitScope): boolean {
  return rangeOf(value, facts).high <= 1n
}

/** Operands of a comparison. Next to a safe integer, a sum or product may be rounded: doubles preserve the order. */
function comparable(a: Value, b: Value, scope: EmitScope): readonly [string, string] {
  const isBelow = (value: Value) => rangeOf(value, scope.facts).high < MAX_SAFE
  if (isBelow(b)) return [rough(a, scope), scope.value(b)]
  if (isBelow(a)) return [scope.value(a), rough(b, scope)]
  return [scope.value(a), scope.value(b)]
}

function rough(value: Value, scope: EmitScope): string {
  const { facts } = scope
  if (value.kind !== 'term' || scope.isReady(value) || isSafe(value, facts)) return scope.value(value)
  const [a, b] = value.operands as readonly [Value, Value]
  if (value.op !== 'MUL' && value.op !== 'ADD') return scope.value(value)
  if (!isSafe(a, facts) || !isSafe(b, facts)) return scope.value(value)
  return `(${scope.value(a)}${value.op === 'MUL' ? '*' : '+'}${scope.value(b)})`
}

function isSafe(value: Value, facts: Facts): boolean {
  return rangeOf(value, facts).high <= MAX_SAFE
}

function is32(value: Value, facts: Facts): boolean {
  return rangeOf(value, facts).high <= MAX_32
}

function plain(term: Term, scope: EmitScope): string | undefined {
  const { op, operands } = term
  const { facts, value } = scope
  if (op === 'TABLE') return lookUp(term, scope)
  if (op === 'KECCAK256') return undefined
  if (op === 'ISZERO' || op === 'LT' || op === 'GT' || op === 'EQ') return `(${test(term, true, scope)}?1:0)`
  const masked = op === 'AND' ? low32(term, scope) : undefined
  if (masked !== undefined) return masked
  if (!operands.every((operand) => isSafe(operand, facts))) return undefined
  const [a, b] = operands as readonly [Value, Value]
  const both32 = operands.every((operand) => is32(operand, facts))
  const [first, second] = [rangeOf(a, facts), b === undefined ? rangeOf(a, facts) : rangeOf(b, facts)]
  const result = rangeOf(term, facts)
  switch (op) {
    // Numbers on the way are no larger than what comes out, or nothing wraps.
    case 'ADD':
      return result.high <= MAX_SAFE ? `${value(a)}+${value(b)}` : undefined
    case 'MUL':
      return result.high <= MAX_SAFE && first.high * second.high < 1n << 256n
        ? `${value(a)}*${value(b)}`
        : undefined
    case 'SUB':
      return first.low >= second.high || result.high <= MAX_SAFE ? `${value(a)}-${value(b)}` : undefined
    case 'DIV':
      if (both32) return `${value(a)}/${value(b)}>>>0`
      return second.low > 0n && first.high < MAX_DIVIDED ? `Math.floor(${value(a)}/${value(b)})` : undefined
    case 'MOD':
      if (both32) return modulo32(a, b, scope)
      if (second.low === 0n || first.high >= MAX_DIVIDED) return undefined
      return modulo(a, b, scope)
    case 'AND':
      return is32(a, facts) || is32(b, facts) ? `(${value(a)}&${value(b)})>>>0` : undefined
    case 'OR':
      return both32 ? `(${value(a)}|${value(b)})>>>0` : undefined
    case 'XOR':
      return both32 ? `(${value(a)}^${value(b)})>>>0` : undefined
    case 'SHL':
      return shiftedLeft(a, b, scope)
    case 'SHR':
      return shiftedRight(a, b, scope)
    default:
      return undefined
  }
}

/** Engines take the remainder of integers much faster than that of doubles, where they can see that it is one. */
function modulo32(a: Value, b: Value, { facts, value }: EmitScope): string {
  const divisor = b.kind === 'constant' ? value(b) : `(${value(b)}>>>0)`
  const remainder = `(${value(a)}>>>0)%${divisor}`
  return rangeOf(b, facts).low > 0n ? remainder : `${remainder}>>>0`
}

/** Tests for 32 bits when it runs: a value whose range is a little too large seldom is. */
function modulo(a: Value, b: Value, scope: EmitScope): string {
  const { facts, value } = scope
  const remainder = `${value(a)}-Math.floor(${value(a)}/${value(b)})*${value(b)}`
  return is32(b, facts) ? `(${value(a)}<=${MAX_32}?${modulo32(a, b, scope)}:${remainder})` : remainder
}

function shiftedLeft(shift: Value, of: Value, { facts, value }: EmitScope): string | undefined {
  const by = rangeOf(shift, facts)
  if (by.high > 52n || rangeOf(of, facts).high << by.high > MAX_SAFE) return undefined
  if (shift.kind === 'constant') return `${value(of)}*${2 ** Number(shift.word)}`
  return by.high < 31n ? `${value(of)}*(1<<${value(shift)})` : undefined
}

function shiftedRight(shift: Value, of: Value, { facts, value }: EmitScope): string | undefined {
  const by = rangeOf(shift, facts)
  if (is32(of, facts) && by.high < 32n) return `${value(of)}>>>${value(shift)}`
  return shift.kind === 'constant' ? `Math.floor(${value(of)}/${2 ** Number(shift.word)})` : undefined
}

function lookUp(term: Term, scope: EmitScope): string {
  const index = scope.value(term.operands[0]!)
  const first = firstIndex(term)
  if (isConstantTable(term)) return `${scope.table(term)}[${first === 0 ? index : `${index}-${first}`}]`
  const entries = term.entries!.map((entry) => scope.value(entry))
  const last = entries.pop()!
  return `(${entries.map((entry, i) => `${index}===${first + i}?${entry}:`).join('')}${last})`
}

const DEEPEST = 6

/** The text of `term`, an AND of something with a constant of 32 bits; `undefined` where that does not help. */
function low32(term: Term, scope: EmitScope): string | undefined {
  const [a, b] = term.operands as readonly [Value, Value]
  const [value, mask] = a.kind === 'constant' ? [b, a] : [a, b]
  if (mask.kind !== 'constant' || mask.word > MAX_32) return undefined
  const low = lowBits(value, scope, 0)
  if (low === undefined) return undefined
  const word = Number(mask.word)
  if (word === Number(MAX_32)) return `${low}>>>0`
  return word < 2 ** 31 ? `${low}&${word}` : `(${low}&${word})>>>0`
}

/**
 * The text of a number congruent to `value` modulo 2^32, which bitwise operators may go on with: of sums, products
 * and the like it takes the low 32 bits of the operands, however large these are.
 */
function lowBits(value: Value, scope: EmitScope, depth: number): string | undefined {
  if (value.kind === 'constant') return `${Number(BigInt.asIntN(32, BigInt(value.word)))}`
  if (value.kind !== 'term') return undefined
  if (scope.isReady(value) || value.op === 'VARIABLE') {
    return rangeOf(value, scope.facts).high <= MAX_SAFE ? `(${scope.value(value)})` : undefined
  }
  const { high } = rangeOf(value, scope.facts)
  if (high <= MAX_32 || (high <= MAX_SAFE && depth > 1)) return safely(value, scope)
  return (depth < DEEPEST ? ofOperands(value, scope, depth + 1) : undefined) ?? safely(value, scope)
}

function safely(value: Value, scope: EmitScope): string | undefined {
  return rangeOf(value, scope.facts).high <= MAX_SAFE ? `(${scope.value(value)})` : undefined
}

function ofOperands({ op, operands }: Term, scope: EmitScope, depth: number): string | undefined {
  const [a, b] = operands as readonly [Value, Value]
  const low = (operand: Value) => lowBits(operand, scope, depth)
  const joined = (text: (left: string, right: string) => string) => {
    const [left, right] = [low(a), low(b)]
    return left === undefined || right === undefined ? undefined : text(left, right)
  }
  switch (op) {
    case 'ADD':
      return joined((left, right) => `((${left}|0)+(${right}|0)|0)`)
    case 'SUB':
      return joined((left, right) => `((${left}|0)-(${right}|0)|0)`)
    case 'MUL':
      return joined((left, right) => `Math.imul(${left},${right})`)
    case 'SHL': {
      const operand = low(b)
      if (a.kind !== 'constant' || operand === undefined) return undefined
      return a.word > 31 ? '0' : `(${operand}<<${a.word})`
    }
    default:
      return undefined
  }
}
