import type { Services } from '#lib/core/context/context.ts'
import { countsOf } from '#lib/features/social/index.ts'
import type { Piece } from '#lib/protocol/piece.ts'

/** Numbers of likes and plays of a piece. */
export interface PieceCounts {
  readonly likes: number
  /** One for each visitor and day. */
  readonly plays: number
}

/** Likes and plays of pieces, in one read. */
export function pieceCounts(
  ctx: Pick<Services, 'db'>,
  pieces: readonly Piece[],
): Promise<(piece: Piece) => PieceCounts> {
  return countsOf(ctx, pieces)
}
