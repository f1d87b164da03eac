import { type Algebra, type FactScope, mustBeUsable, withRange } from './algebra.ts'
import { lookUp, MOST_ENTRIES, scaled } from './tables.ts'
import {
  constant,
  type Pointer,
  pointer,
  rangeOf,
  sameValue,
  type Term,
  Unspecialised,
  type Value,
} from './value.ts'

/** Bytes `start` to `end` hold those of `word` from byte `skip` on. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly word: Value
  readonly skip: number
}

/**
 * What this step wrote: absolute addresses are the few before the free memory, the others are counted from where
 * that begins. Immutable. Unwritten memory cannot be read: it may hold data of the step before.
 */
export interface Memory {
  readonly scratch: readonly Piece[]
  readonly free: readonly Piece[]
}

type Space = keyof Memory

const SCRATCH_BYTES = 0x80
const MOST_MEMORY = 2 ** 17
const FREE_POINTER: Piece = { start: 0x40, end: 0x60, word: pointer('memory', 0), skip: 0 }
const ZERO_SLOT: Piece = { start: 0x60, end: 0x80, word: constant(0), skip: 0 }

/** Memory at the beginning of a step. */
export const FRESH: Memory = { scratch: [FREE_POINTER, ZERO_SLOT], free: [] }

/** A place in memory of known size. */
export interface Place {
  readonly space: Space
  readonly start: number
}

/** @throws Unspecialised for addresses that are known at run time only. */
export function placeOf(address: Value, size: number): Place {
  if (address.kind === 'pointer' && address.region === 'memory') {
    if (address.index !== undefined) throw new Unspecialised('an address known at run time only')
    if (address.offset < 0) throw new Unspecialised('memory below the free')
    // More would cost gas that matters.
    if (address.offset > MOST_MEMORY) throw new Unspecialised('much memory')
    return { space: 'free', start: address.offset }
  }
  if (address.kind === 'constant' && address.word <= SCRATCH_BYTES - size) {
    return { space: 'scratch', start: Number(address.word) }
  }
  throw new Unspecialised('an address that is no place in memory')
}

/** `size` bytes of `word`, from byte `skip` on, put at a place. */
export function write(memory: Memory, { space, start }: Place, size: number, word: Value, skip = 0): Memory {
  if (size === 0) return memory
  const end = start + size
  if (space === 'scratch' && end > ZERO_SLOT.start) throw new Unspecialised('a write to the zero slot')
  const otherPieces = memory[space].flatMap((piece) => {
    if (piece.end <= start || piece.start >= end) return [piece]
    const before = piece.start < start ? [{ ...piece, end: start }] : []
    const after = piece.end > end ? [{ ...piece, start: end, skip: piece.skip + end - piece.start }] : []
    return [...before, ...after]
  })
  const pieces = [...otherPieces, { start, end, word, skip }].sort((a, b) => a.start - b.start)
  if (pieces.length > 2048) throw new Unspecialised('much memory')
  return { ...memory, [space]: pieces }
}

/** Reads `size` bytes, at most 32, as the high bytes of a word; it is partial when the last were not written. */
export function read(memory: Memory, place: Place, size: number, algebra: Algebra, scope: FactScope): Value {
  const { space, start } = place
  const end = start + size
  const pieces = memory[space].filter((piece) => piece.end > start && piece.start < end)
  const [first] = pieces
  if (first?.start === start && first.end === end && first.skip === 0 && size === 32) return first.word
  let covered = start
  let result: Value = constant(0)
  for (const piece of pieces) {
    if (piece.start > covered) break
    const from = Math.max(piece.start, start)
    const to = Math.min(piece.end, end)
    const firstByte = piece.skip + from - piece.start
    mustBeUsable(piece.word)
    const apply = (op: string, ...operands: Value[]) => algebra.apply(op, operands, scope)
    const length = to - from
    const moved = apply('SHR', constant(8 * (32 - firstByte - length)), piece.word)
    const low = apply('AND', moved, constant(mask(length)))
    result = apply('OR', result, apply('SHL', constant(8 * (32 - (from - start) - length)), low))
    covered = to
  }
  if (covered === end) return result
  if (covered === start) throw new Unspecialised('memory that this step did not write')
  return { kind: 'partial', word: result, bytes: covered - start }
}

function mask(bytes: number): number | bigint {
  return bytes < 7 ? 2 ** (8 * bytes) - 1 : (1n << BigInt(8 * bytes)) - 1n
}

/** Reads a word at an address, which may be a base plus an index of few values. */
export function load(memory: Memory, address: Value, algebra: Algebra, scope: FactScope): Value {
  if (address.kind !== 'pointer' || address.index === undefined) {
    return read(memory, placeOf(address, 32), 32, algebra, scope)
  }
  return atIndex(address, address.index, scope, algebra, (place) =>
    read(memory, placeOf(place, 32), 32, algebra, scope),
  )
}

/** Reads a base address plus an index, each possible word by `readAt`. */
export function atIndex(
  base: Pointer,
  by: Term,
  scope: FactScope,
  algebra: Algebra,
  readAt: (address: Pointer) => Value,
): Value {
  mustBeUsable(by)
  const { index, factor } = scaled(by)
  const { low, high } = rangeOf(index, scope.facts)
  if (high - low >= BigInt(MOST_ENTRIES) || high > 2n ** 31n) throw new Unspecialised('a wide index')
  const entries = Array.from({ length: Number(high - low) + 1 }, (_, i) =>
    readAt({ kind: 'pointer', region: base.region, offset: base.offset + (Number(low) + i) * factor }),
  )
  const bytes = entries.map((entry) => (entry.kind === 'partial' ? entry.bytes : 32))
  const words = entries.map((entry) => (entry.kind === 'partial' ? entry.word : entry))
  const value = lookUpWord(index, Number(low), words, scope, algebra)
  const least = Math.min(...bytes)
  return least === 32 ? value : { kind: 'partial', word: value, bytes: least }
}

function lookUpWord(
  index: Term,
  low: number,
  words: readonly Value[],
  scope: FactScope,
  algebra: Algebra,
): Value {
  const [first] = words
  if (words.every((word) => sameValue(word, first!))) return first!
  for (const word of words) mustBeUsable(word)
  const table = lookUp(index, low, words, algebra)
  if (table.operands.length > 34) throw new Unspecialised('a table of many values known at run time only')
  return withRange(table, table.range, scope)
}
