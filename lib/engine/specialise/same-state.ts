import type { Piece } from './memory.ts'
import { pieceSlot, type State } from './state.ts'
import { type Facts, sameValue, type Value } from './value.ts'

/** Whether two states of one block say the same. */
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
