import { jsonRead } from '#lib/views/site-read.ts'
import { livingPiece } from '#lib/views/wall.ts'

/** Data that brings the tile of a piece to life, by `?name=`. */
export const { GET } = jsonRead(
  '/discover/living',
  (ctx, { search }) => livingPiece(ctx, search.get('name') ?? ''),
  ({ streams }) => streams.length > 0,
)

export const dynamic = 'force-dynamic'
