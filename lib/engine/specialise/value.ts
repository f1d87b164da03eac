import { least, MAX_WORD, most, type Range } from '../ranges.ts'
import type { Word } from '../words.ts'

/** A word known at translation. */
export interface Constant {
  readonly kind: 'constant'
  readonly word: Word
  /** Pushed as a literal and a possible jump destination: code is laid out again for each of them. */
  readonly label: boolean
}

/**
 * An address that the caller's layout decides: of the free memory, of the arguments in the calldata, or the end of the
 * calldata. Only its distances are known, so a body that reads the address itself cannot be specialised.
 */
export interface Pointer {
  readonly kind: 'pointer'
  readonly region: Region
  readonly offset: number
  /** Bytes to add that are known only at run time. */
  readonly index?: Term
}

export type Region = 'memory' | 'arguments' | 'end'

/** A word computed at run time. The same operation on the same operands is the same object. */
export interface Term {
  readonly kind: 'term'
  readonly id: number
  readonly op: string
  readonly operands: readonly Value[]
  /** Entries of a table at 0, 1, …. */
  readonly entries?: readonly Value[]
  /** Holds wherever the term is computed. */
  readonly range: Range
}

/** A word of the frame that the wrapper puts around a body: it differs between calls, and only the frame may use it. */
export interface Frame {
  readonly kind: 'frame'
  /** Place in the stack when a step begins. */
  readonly slot: number
}

/** Merge of values from different addresses: it may be carried along, not used. */
export interface Wild {
  readonly kind: 'wild'
}

/** A word of which only the first bytes are known; the others are zero in `word`. */
export interface Partial {
  readonly kind: 'partial'
  readonly word: Value
  readonly bytes: number
}

export type Value = Constant | Pointer | Term | Frame | Partial | Wild

/** Facts of terms on the way to where they are used, by their id. */
export type Facts = Map<number, Range>

/** The body does something that is not translated. Ends a translation; never leaves this folder. */
export class Unspecialised extends Error {
  override readonly name = 'Unspecialised'
}

export const MAX_32 = 0xffff_ffffn
export const WILD: Wild = { kind: 'wild' }

export function constant(word: Word, label = false): Constant {
  return { kind: 'constant', word, label }
}

export function pointer(region: Region, offset: number, index?: Term): Pointer {
  if (!Number.isSafeInteger(offset) || Math.abs(offset) > 2 ** 31) throw new Unspecialised('a far address')
  return index === undefined
    ? { kind: 'pointer', region, offset }
    : { kind: 'pointer', region, offset, index }
}

/** Equal for values that are the same at run time; a wild one is not even equal to itself. */
export function identity(value: Value): string {
  switch (value.kind) {
    case 'constant':
      return `c${value.word}`
    case 'pointer':
      return `${value.region}${value.offset}/${value.index?.id ?? ''}`
    case 'term':
      return `t${value.id}`
    case 'frame':
      return `f${value.slot}`
    case 'partial':
      return `${identity(value.word)}/${value.bytes}`
    case 'wild':
      return 'w'
  }
}

export function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a.kind !== b.kind) return false
  return a.kind === 'term' ? false : identity(a) === identity(b)
}

/** The bounds of a value, by what is known here. */
export function rangeOf(value: Value, facts: Facts): Range {
  if (value.kind === 'term') return facts.get(value.id) ?? value.range
  if (value.kind === 'constant') {
    const word = BigInt(value.word)
    return { low: word, high: word }
  }
  if (value.kind === 'partial') throw new Unspecialised('memory that this step did not write')
  throw new Unspecialised(value.kind === 'wild' ? 'addresses that come together' : 'the layout of the call')
}

export function meet(a: Range, b: Range): Range {
  return { low: most(a.low, b.low), high: least(a.high, b.high) }
}

export function hull(a: Range, b: Range): Range {
  return { low: least(a.low, b.low), high: most(a.high, b.high) }
}

/** Bounds may only grow in these steps where a loop comes together, so that it settles. */
const STEPS = [1n, 0xffn, 0xffffn, 0x7fff_ffffn, 0xffff_ffffn, (1n << 53n) - 1n, (1n << 64n) - 1n, MAX_WORD]

export function widen(previous: Range, next: Range): Range {
  return {
    low: next.low < previous.low ? 0n : next.low,
    high: next.high > previous.high ? (STEPS.find((step) => step >= next.high) ?? MAX_WORD) : next.high,
  }
}

/** Makes terms, one for each operation on the same operands. */
export class Terms {
  readonly #known = new Map<string, Term>()
  #count = 0

  make(op: string, operands: readonly Value[], range: Range, entries?: readonly Value[]): Term {
    const list = entries === undefined ? '' : `[${entries.map(identity).join()}]`
    const key = `${op}(${operands.map(identity).join()})${list}`
    const entry = this.#known.get(key)
    if (entry !== undefined) return entry
    const term: Term = { ...this.fresh(op, operands, range), ...(entries === undefined ? {} : { entries }) }
    this.#known.set(key, term)
    return term
  }

  /** A term like no other. */
  fresh(op: string, operands: readonly Value[], range: Range): Term {
    return { kind: 'term', id: this.#count++, op, operands, range }
  }
}

/** Budget left to an attempt, about one an instruction executed. It bounds the time that any code takes. */
export class Effort {
  #budget: number

  constructor(budget: number) {
    this.#budget = budget
  }

  /** @throws Unspecialised */
  spend(amount: number): void {
    this.#budget -= amount
    if (this.#budget < 0) throw new Unspecialised('much code')
  }
}
