import { compute, isArithmetic } from '../arithmetic.ts'
import {
  constant,
  type Effort,
  type Facts,
  hull,
  rangeOf,
  type Term,
  type Terms,
  type Value,
} from './value.ts'

/** Larger tables are no tables. */
export const MOST_ENTRIES = 256

/** Cost of making a table. */
export interface TableMaker {
  readonly terms: Terms
  readonly effort: Effort
}

/** Operations of a constant by a number of few values: their outcomes are a table. */
const BY_PLACE: ReadonlyMap<string, readonly [place: number, other: number]> = new Map([
  ['SHR', [0, 1]],
  ['SHL', [0, 1]],
  ['BYTE', [0, 1]],
  ['EXP', [1, 0]],
])

const SMALL = 2 ** 32

/**
 * A lookup in a table made now, equal to `op` of `operands`; `undefined` when there is none: a table already looked
 * up in goes through the operation entry by entry, and constants shifted by a few places are laid out.
 */
export function tabulate(
  op: string,
  operands: readonly Value[],
  facts: Facts,
  maker: TableMaker,
): Term | undefined {
  if (!isArithmetic(op)) return undefined
  return mapped(op, operands, maker) ?? laidOut(op, operands, facts, maker)
}

function mapped(op: string, operands: readonly Value[], maker: TableMaker): Term | undefined {
  const tables = operands.filter((operand) => operand.kind === 'term')
  const [first] = tables
  if (first === undefined || !isConstantTable(first)) return undefined
  if (tables.some((table) => table !== first)) return undefined
  const entries = first.entries!.map((entry) => {
    const words = operands.map((operand) => wordOf(operand.kind === 'constant' ? operand : entry))
    return constant(compute(op, words))
  })
  return lookUp(first.operands[0]!, firstIndex(first), entries, maker)
}

export function isConstantTable(term: Term): boolean {
  return term.op === 'TABLE' && term.entries!.every(({ kind }) => kind === 'constant')
}

/** The index of a table's first entry. */
export function firstIndex(table: Term): number {
  return Number(wordOf(table.operands[1]!))
}

function wordOf(value: Value) {
  if (value.kind !== 'constant') throw new Error('Not a constant')
  return value.word
}

function laidOut(op: string, operands: readonly Value[], facts: Facts, maker: TableMaker): Term | undefined {
  const places = BY_PLACE.get(op)
  const place = operands[places?.[0] ?? 0]
  const other = operands[places?.[1] ?? 0]
  if (places === undefined || place?.kind !== 'term' || other?.kind !== 'constant') return undefined
  // Arithmetic of small numbers needs no table.
  if (op !== 'EXP' && op !== 'BYTE' && other.word < SMALL) return undefined
  const { index, factor } = scaled(place)
  const { low, high } = rangeOf(index, facts)
  if (high - low >= BigInt(MOST_ENTRIES) || high * BigInt(factor) > 2n ** 32n) return undefined
  const entries = Array.from({ length: Number(high - low) + 1 }, (_, i) => {
    const at = constant((Number(low) + i) * factor)
    return constant(compute(op, (places[0] === 0 ? [at, other] : [other, at]).map(wordOf)))
  })
  return lookUp(index, Number(low), entries, maker)
}

/** A number as a multiple of another. */
export function scaled(term: Term): { readonly index: Term; readonly factor: number } {
  const [a, b] = term.operands
  if (term.op === 'SHL' && a?.kind === 'constant' && b?.kind === 'term' && a.word < 16) {
    return { index: b, factor: 2 ** Number(a.word) }
  }
  if (term.op === 'MUL') {
    const [variable, fixed] = a?.kind === 'constant' ? [b, a] : [a, b]
    if (variable?.kind === 'term' && fixed?.kind === 'constant' && fixed.word < 65_536 && fixed.word > 0) {
      return { index: variable, factor: Number(fixed.word) }
    }
  }
  return { index: term, factor: 1 }
}

/** The entry for `index`, which is one of `first`, `first` + 1, … for certain. */
export function lookUp(
  index: Value,
  first: number,
  entries: readonly Value[],
  { terms, effort }: TableMaker,
): Term {
  effort.spend(entries.length)
  const nothing: Facts = new Map()
  const range = entries.map((entry) => rangeOf(entry, nothing)).reduce(hull)
  const variable = entries.filter(({ kind }) => kind !== 'constant')
  return terms.make('TABLE', [index, constant(first), ...variable], range, entries)
}
