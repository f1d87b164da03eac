import { openedWorld } from '#lib/views/gallery.ts'
import { CACHE_ONE_MINUTE, jsonRead } from '#lib/views/site-read.ts'

/** A World with what feeds it, by `?id=`. */
export const { GET } = jsonRead(
  '/worlds/gallery/opened',
  (ctx, { search }) => openedWorld(ctx, search.get('id') ?? ''),
  CACHE_ONE_MINUTE,
)

export const dynamic = 'force-dynamic'
