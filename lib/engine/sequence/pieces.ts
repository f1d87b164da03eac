import type { Indices } from '../walk/indices.ts'

/** Steps that the Runner asks of a transformation at once. */
export const PIECE = 2048

/** Some steps in a row: those after `made`. */
export interface Piece {
  readonly made: number
  readonly count: number
}

/**
 * How the Runner (`contracts/Evaluator.sol`) cuts the steps up to the largest index into calls. It matters to bodies
 * that leave something behind in memory for the next step of the same call.
 *
 * @param steps How many there are in all.
 * @param indices Undefined when all steps are only passed over.
 */
export function* pieces(steps: number, indices: Indices | undefined): Generator<Piece, void> {
  // Indices that run up one by one from a later one: what comes before is passed over, then it begins anew.
  const passed =
    indices !== undefined && indices.list === undefined && indices.first > 0 ? indices.first - 1 : 0
  yield* cut(0, passed)
  yield* cut(passed, steps)
}

/** The piece in which a step is made; `step` counts from 1. */
export function pieceOf(step: number, steps: number, indices: Indices | undefined): Piece {
  const passed =
    indices !== undefined && indices.list === undefined && indices.first > 0 ? indices.first - 1 : 0
  const [from, to] = step <= passed ? [0, passed] : [passed, steps]
  const made = from + Math.floor((step - 1 - from) / PIECE) * PIECE
  return { made, count: Math.min(PIECE, to - made) }
}

function* cut(from: number, to: number): Generator<Piece, void> {
  for (let made = from; made < to; made += PIECE) yield { made, count: Math.min(PIECE, to - made) }
}
