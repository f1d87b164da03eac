import type { Range } from '../ranges.ts'
import type { Algebra, FactScope } from './algebra.ts'
import type { Memory, Piece } from './memory.ts'
import {
  constant,
  type Facts,
  hull,
  identity,
  type Pointer,
  pointer,
  rangeOf,
  sameValue,
  type Term,
  type Value,
  WILD,
  widen,
} from './value.ts'

/** Everything that decides how a step goes on. Never changed once it left the block that made it. */
export interface State extends FactScope {
  readonly stack: readonly Value[]
  readonly memory: Memory
}

/** Variables of a block: values that differ between the ways into it, one for each slot that needs it. */
export class Variables {
  /** By slot. Slots that always hold the same share one. */
  readonly bySlot = new Map<string, Term>()
  readonly #ranges = new Map<string, Range>()
  /** Slots of addresses. */
  readonly #grids = new Map<string, Grid | undefined>()
  readonly #algebra: Algebra

  constructor(algebra: Algebra) {
    this.#algebra = algebra
  }

  /** Facts that hold however the block was reached. */
  join(arrivals: readonly State[], loosely: boolean): State {
    const [first, ...others] = arrivals as [State, ...State[]]
    if (others.length === 0 && this.bySlot.size === 0) return first
    const facts = commonFacts(first.facts, others)
    const classes = new Map<string, string>()
    const joined = (slot: string, values: readonly Value[]): Value => {
      if (values.every((value) => sameValue(value, values[0]!)) && values[0]!.kind !== 'wild')
        return values[0]!
      const grid = gridOf(values)
      this.#grids.set(slot, grid)
      const words = values.map((value) => this.#relative(slot, value))
      if (!words.every(({ kind }) => kind === 'constant' || kind === 'term')) return WILD
      const word = joinedWords(slot, words)
      if (grid === undefined) return word
      const operands = [word, constant(grid.unit)]
      const distance = this.#algebra.term('MUL', operands, { facts })
      return distance.kind === 'term' ? pointer(grid.region, grid.base, distance) : WILD
    }
    const joinedWords = (slot: string, values: readonly Value[]): Value => {
      const key = values.map(identity).join()
      const representative = classes.get(key) ?? slot
      classes.set(key, representative)
      const variable = this.#variable(representative)
      const range = values.map((value, i) => rangeOf(value, arrivals[i]!.facts)).reduce(hull)
      facts.set(variable.id, this.#settled(representative, range, loosely))
      return variable
    }
    return {
      stack: first.stack.map((_, i) =>
        joined(
          `s${i}`,
          arrivals.map(({ stack }) => stack[i]!),
        ),
      ),
      memory: {
        scratch: joinPieces('scratch', arrivals, joined),
        free: joinPieces('free', arrivals, joined),
      },
      facts,
    }
  }

  /** Value that the variable of a slot is set to on a way in. */
  valueFrom(state: State, slot: string): Value {
    return this.#relative(slot, valueAt(state, slot))
  }

  /** Addresses as places on their grid, everything else as it is. */
  #relative(slot: string, value: Value): Value {
    const grid = this.#grids.get(slot)
    if (value.kind !== 'pointer') return value
    return grid === undefined || value.index !== undefined
      ? WILD
      : constant((value.offset - grid.base) / grid.unit)
  }

  #variable(slot: string): Term {
    const term = this.bySlot.get(slot)
    if (term !== undefined) return term
    const variable = this.#algebra.terms.fresh('VARIABLE', [], { low: 0n, high: (1n << 256n) - 1n })
    this.bySlot.set(slot, variable)
    return variable
  }

  #settled(slot: string, range: Range, loosely: boolean): Range {
    const before = this.#ranges.get(slot)
    const all = before === undefined ? range : hull(before, range)
    const settled = before !== undefined && loosely ? widen(before, all) : all
    this.#ranges.set(slot, settled)
    return settled
  }
}

/** Few addresses in one region: a base and whole multiples of a unit. */
interface Grid {
  readonly region: Pointer['region']
  readonly base: number
  readonly unit: number
}

/** `undefined` where not all are known addresses in one region. */
function gridOf(values: readonly Value[]): Grid | undefined {
  const pointers = values.filter((value) => value.kind === 'pointer' && value.index === undefined)
  const [first] = pointers
  if (first?.kind !== 'pointer' || pointers.length < values.length) return undefined
  const { region } = first
  const offsets = pointers.map((value) =>
    value.kind === 'pointer' && value.region === region ? value.offset : Number.NaN,
  )
  const base = Math.min(...offsets)
  if (Number.isNaN(base)) return undefined
  return { region, base, unit: offsets.map((offset) => offset - base).reduce(commonDivisor) }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

function commonFacts(first: Facts, others: readonly State[]): Facts {
  const common: Facts = new Map()
  for (const [id, range] of first) {
    let all: Range | undefined = range
    for (const { facts } of others) {
      const other = facts.get(id)
      all = all === undefined || other === undefined ? undefined : hull(all, other)
    }
    if (all !== undefined) common.set(id, all)
  }
  return common
}

/** The name of a place in memory. */
function pieceSlot(space: keyof Memory, { start, end, skip }: Piece) {
  return `${space}${start}-${end}+${skip}`
}

/** Memory that was written on every way in, in the same pieces. */
function joinPieces(
  space: keyof Memory,
  arrivals: readonly State[],
  joined: (slot: string, values: readonly Value[]) => Value,
): Piece[] {
  const bySlot = arrivals.map(
    ({ memory }) => new Map(memory[space].map((piece) => [pieceSlot(space, piece), piece])),
  )
  return arrivals[0]!.memory[space].flatMap((piece) => {
    const slot = pieceSlot(space, piece)
    const pieces = bySlot.map((pieces) => pieces.get(slot))
    if (pieces.some((other) => other === undefined)) return []
    return [
      {
        ...piece,
        word: joined(
          slot,
          pieces.map((other) => other!.word),
        ),
      },
    ]
  })
}

const SLOTS = new WeakMap<State, ReadonlyMap<string, Value>>()

/** The value in a slot, by its name in `Variables`. */
function valueAt(state: State, slot: string): Value {
  const slots = SLOTS.get(state) ?? slotsOf(state)
  SLOTS.set(state, slots)
  return slots.get(slot)!
}

function slotsOf({ stack, memory }: State): ReadonlyMap<string, Value> {
  const pieces = (['scratch', 'free'] as const).flatMap((space) =>
    memory[space].map((piece) => [pieceSlot(space, piece), piece.word] as const),
  )
  return new Map([...stack.map((value, i) => [`s${i}`, value] as const), ...pieces])
}

/** Whether two states of one block are equal. */
export function sameState(a: State, b: State): boolean {
  return (
    sameValues(a.stack, b.stack) &&
    samePieces(a.memory.scratch, b.memory.scratch) &&
    samePieces(a.memory.free, b.memory.free) &&
    sameFacts(a.facts, b.facts)
  )
}

function sameValues(a: readonly Value[], b: readonly Value[]): boolean {
  return (
    a.length === b.length &&
    a.every((value, i) => value.kind === b[i]!.kind && (value.kind === 'wild' || sameValue(value, b[i]!)))
  )
}

function samePieces(a: readonly Piece[], b: readonly Piece[]): boolean {
  return (
    sameValues(
      a.map(({ word }) => word),
      b.map(({ word }) => word),
    ) && a.every((piece, i) => pieceSlot('free', piece) === pieceSlot('free', b[i]!))
  )
}

function sameFacts(a: Facts, b: Facts): boolean {
  if (a.size !== b.size) return false
  for (const [id, { low, high }] of a) {
    const other = b.get(id)
    if (other === undefined || other.low !== low || other.high !== high) return false
  }
  return true
}
