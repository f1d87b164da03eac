import { jsonRead } from '#lib/views/site-read.ts'
import { previewView } from '#lib/views/world.ts'

/** A bundle that is looked at before it is published, with what feeds it, by `?id=`. */
export const { GET } = jsonRead('/worlds/upload/preview', (ctx, { search }) =>
  previewView(ctx, search.get('id') ?? ''),
)

export const dynamic = 'force-dynamic'
