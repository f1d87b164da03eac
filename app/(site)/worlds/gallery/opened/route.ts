import { openedWorld } from '#lib/views/gallery.ts'
import { jsonRead } from '#lib/views/site-read.ts'

/** A World with what feeds it, by `?id=`. */
export const { GET } = jsonRead(
  '/worlds/gallery/opened',
  (ctx, { search }) => openedWorld(ctx, search.get('id') ?? ''),
  ({ fed }) => fed?.run.state !== 'unavailable',
)

export const dynamic = 'force-dynamic'
