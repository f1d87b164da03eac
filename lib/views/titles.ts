import type { Context } from '#lib/core/context/context.ts'
import { findPieces } from '#lib/core/entities/author-words.ts'
import type { Piece } from '#lib/protocol/piece.ts'

/** The title of a piece; undefined for one without. */
export type TitleOf = (piece: Piece) => string | undefined

/** Titles of what a page lists. @throws What the database throws. */
export async function titlesOf(ctx: Context, pieces: readonly Piece[]): Promise<TitleOf> {
  const pieceByName = await findPieces(
    ctx,
    pieces.filter(({ kind }) => kind === 'connector').map(({ name }) => name),
  )
  return ({ kind, name }) => (kind === 'connector' ? pieceByName.get(name)?.title : undefined)
}
