import { MAX_SAFE, MAX_WORD } from '../ranges.ts'
import type { Word } from '../words.ts'

/** What is known of a word wherever it may come from. */
export interface Fact {
  /** No value is larger. */
  readonly high: bigint
  readonly constant?: Word
  /** A constant that was pushed as it is and is a place to jump to: code is laid out anew for each of them. */
  readonly label?: boolean
}

/** A word as it is computed inside a block; the same object is the same word. */
export interface Value extends Fact {
  /** Which stack slot of the block's beginning it is, counted from the bottom. */
  readonly slot?: number
  /** The opcode that computes it from `operands`: without effect, so only if someone wants it. */
  readonly operation?: string
  readonly operands?: readonly Value[]
  /** How many operations on operations it is away from words that stand in variables. */
  readonly depth?: number
  /** The same word under a closer bound, known on one way out of a block. */
  readonly same?: Value
}

// Bounds may only grow in these steps where ways join, so that loops settle.
const BOUNDS = [1n, 0xffn, 0xffffn, 0xffff_ffffn, MAX_SAFE, MAX_WORD]

export function constant(value: Word, label = false): Value {
  return { high: BigInt(value), constant: value, label }
}

/** Whether the word is a JavaScript number for certain. */
export function isNumber(fact: Fact): boolean {
  return fact.high <= MAX_SAFE
}

export function factOf(value: Value): Fact {
  const { high, constant: known, label } = value
  return known === undefined ? { high } : { high, constant: known, ...(label ? { label } : {}) }
}

/** The slot in which a word lies since the beginning of its block. */
export function slotOf(value: Value): number | undefined {
  return value.same === undefined ? value.slot : slotOf(value.same)
}

/** What holds on both ways. `undefined` when `known` says no more than that already. */
export function join(known: Fact, incoming: Fact): Fact | undefined {
  if (known.constant !== undefined && known.constant === incoming.constant) return undefined
  if (known.constant === undefined && incoming.high <= known.high) return undefined
  return { high: BOUNDS.find((bound) => known.high <= bound && incoming.high <= bound) ?? MAX_WORD }
}
