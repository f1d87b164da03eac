import { CACHE_ONE_MINUTE, jsonRead } from '#lib/views/site-read.ts'
import { livingPiece } from '#lib/views/wall.ts'

/** Data that brings the tile of a piece to life, by `?name=`. */
export const { GET } = jsonRead(
  '/discover/living',
  (ctx, { search }) => livingPiece(ctx, search.get('name') ?? ''),
  CACHE_ONE_MINUTE,
)

export const dynamic = 'force-dynamic'
