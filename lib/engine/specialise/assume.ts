import { MAX_WORD, type Range } from '../ranges.ts'
import { type Facts, meet, rangeOf, sameValue, type Term, type Terms, type Value } from './value.ts'

/** Deeper conditions are ignored: shared operands would be visited exponentially often. */
const DEEPEST = 6

/**
 * Narrows `facts` to where `condition` is other than zero, or zero.
 *
 * @returns false where that cannot be.
 */
export function assume(condition: Value, holds: boolean, facts: Facts, terms: Terms, depth = 0): boolean {
  if (!narrow(condition, holds ? { low: 1n, high: MAX_WORD } : { low: 0n, high: 0n }, facts)) return false
  if (condition.kind !== 'term' || depth > DEEPEST) return true
  const [a, b] = condition.operands as readonly [Value, Value]
  switch (condition.op) {
    case 'ISZERO':
      return assume(a, !holds, facts, terms, depth + 1)
    case 'LT':
      return holds ? below(a, b, facts, terms) : notBelow(a, b, facts, terms)
    case 'GT':
      return holds ? below(b, a, facts, terms) : notBelow(b, a, facts, terms)
    case 'EQ':
      return holds ? equal(a, b, facts) : different(a, b, facts)
    case 'AND':
      return !holds || !(isBit(a, facts) && isBit(b, facts)) || both(a, b, true, facts, terms, depth)
    case 'OR':
      return holds || both(a, b, false, facts, terms, depth)
    default:
      return true
  }
}

function both(a: Value, b: Value, holds: boolean, facts: Facts, terms: Terms, depth: number): boolean {
  return assume(a, holds, facts, terms, depth + 1) && assume(b, holds, facts, terms, depth + 1)
}

function isBit(value: Value, facts: Facts): boolean {
  return rangeOf(value, facts).high <= 1n
}

function below(a: Value, b: Value, facts: Facts, terms: Terms): boolean {
  const [left, right] = [rangeOf(a, facts), rangeOf(b, facts)]
  if (right.high === 0n) return false
  if (!narrow(a, { low: 0n, high: right.high - 1n }, facts)) return false
  return narrow(b, { low: left.low + 1n, high: MAX_WORD }, facts) && ordered(a, b, facts, terms)
}

function notBelow(a: Value, b: Value, facts: Facts, terms: Terms): boolean {
  const [left, right] = [rangeOf(a, facts), rangeOf(b, facts)]
  if (!narrow(a, { low: right.low, high: MAX_WORD }, facts)) return false
  return narrow(b, { low: 0n, high: left.high }, facts) && ordered(b, a, facts, terms)
}

/** Records that the difference is at most the larger operand, which bounds alone do not imply. */
function ordered(smaller: Value, larger: Value, facts: Facts, terms: Terms): boolean {
  if (smaller.kind !== 'term' && larger.kind !== 'term') return true
  const high = rangeOf(larger, facts).high - rangeOf(smaller, facts).low
  if (high < 0n) return false
  const always = { low: 0n, high: MAX_WORD }
  return narrow(terms.make('SUB', [larger, smaller], always), { low: 0n, high }, facts)
}

function equal(a: Value, b: Value, facts: Facts): boolean {
  if (sameValue(a, b)) return true
  return narrow(a, rangeOf(b, facts), facts) && narrow(b, rangeOf(a, facts), facts)
}

function different(a: Value, b: Value, facts: Facts): boolean {
  return !sameValue(a, b) && without(a, b, facts) && without(b, a, facts)
}

/** `a` is not the one number that `b` can be. */
function without(a: Value, b: Value, facts: Facts): boolean {
  const { low, high } = rangeOf(b, facts)
  if (low !== high) return true
  const range = rangeOf(a, facts)
  if (range.low === low) return narrow(a, { low: low + 1n, high: MAX_WORD }, facts)
  if (range.high === high) return high > 0n && narrow(a, { low: 0n, high: high - 1n }, facts)
  return true
}

function narrow(value: Value, to: Range, facts: Facts): boolean {
  const range = meet(rangeOf(value, facts), to)
  if (range.low > range.high) return false
  if (value.kind === 'term') {
    facts.set(value.id, range)
    return through(value, range, facts)
  }
  return true
}

/** Propagates a bound to the operands of the term. */
function through(term: Term, range: Range, facts: Facts): boolean {
  const [a, b] = term.operands
  if (a === undefined || b === undefined) return true
  if (term.op === 'ADD') return throughSum(a, b, range, facts)
  return term.op !== 'MUL' || throughProduct(a, b, range, facts)
}

function throughSum(variable: Value, fixed: Value, { low, high }: Range, facts: Facts): boolean {
  if (fixed.kind !== 'constant' || variable.kind !== 'term') return true
  const by = BigInt(fixed.word)
  if (rangeOf(variable, facts).high + by > MAX_WORD || high < by) return true
  return narrow(variable, { low: low > by ? low - by : 0n, high: high - by }, facts)
}

function throughProduct(a: Value, b: Value, { high }: Range, facts: Facts): boolean {
  const [left, right] = [rangeOf(a, facts), rangeOf(b, facts)]
  if (left.high * right.high > MAX_WORD) return true
  if (sameValue(a, b)) return narrow(a, { low: 0n, high: rootAbove(high) }, facts)
  if (right.low > 0n && !narrow(a, { low: 0n, high: high / right.low }, facts)) return false
  return left.low === 0n || narrow(b, { low: 0n, high: high / left.low }, facts)
}

/** No number with a square up to `value` is larger. */
function rootAbove(value: bigint): bigint {
  if (value < 2n) return value
  const half = (value.toString(2).length + 1) >> 1
  let root = 1n << BigInt(half)
  for (let next = (root + value / root) >> 1n; next < root; next = (root + value / root) >> 1n) root = next
  return root
}
