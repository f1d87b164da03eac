import { readViewer } from '#lib/views/read.ts'
import { jsonRead } from '#lib/views/site-read.ts'
import { readWallQuery, wallPage } from '#lib/views/wall.ts'

/** A page of the wall as JSON, by the query of the wall's address. */
export const { GET } = jsonRead('/discover/tiles', async (ctx, { search }) => {
  const query = readWallQuery(Object.fromEntries(search))
  const viewer = query.of === 'followed' ? (await readViewer())?.address : undefined
  return wallPage(ctx, query, viewer)
})

export const dynamic = 'force-dynamic'
