import { MAX_WORD } from '../ranges.ts'
import { constant, type Facts, rangeOf, type Term, type Value } from './value.ts'

/** Applies an opcode to simpler operands. */
export type Apply = (op: string, ...operands: Value[]) => Value
/** An equal value for the outcome of an opcode, by its operands; `undefined` when the rule has none. */
export type Rule = (operands: readonly [Value, Value, Value], facts: Facts, apply: Apply) => Value | undefined

export const ZERO = constant(0)
export const ONE = constant(1)

export const isWord = (value: Value, word: number) => value.kind === 'constant' && value.word === word

export function wordOf(value: Value): bigint | undefined {
  return value.kind === 'constant' ? BigInt(value.word) : undefined
}

export function termOf(value: Value | undefined, op: string): Term | undefined {
  return value?.kind === 'term' && value.op === op ? value : undefined
}

export const high = (value: Value, facts: Facts) => rangeOf(value, facts).high
export const low = (value: Value, facts: Facts) => rangeOf(value, facts).low
export const isMask = (word: bigint) => (word & (word + 1n)) === 0n
export const isPower = (word: bigint) => word !== 0n && (word & (word - 1n)) === 0n

/** The two operands of a symmetric operation, a constant second. */
export function constantLast(a: Value, b: Value): readonly [Value, Value] {
  return a.kind === 'constant' ? [b, a] : [a, b]
}

export function bigConstant(value: bigint): Value {
  return constant(value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value)
}

export function overflows({ operands }: Term, facts: Facts): boolean {
  const [a, b] = operands as [Value, Value]
  return high(a, facts) * high(b, facts) > MAX_WORD
}

export const isPositive = (value: Value, facts: Facts) => high(value, facts) <= MAX_WORD / 2n
