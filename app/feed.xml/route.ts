import { ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { documentRead } from '#lib/views/site-read.ts'
import { atomFeed } from '#lib/views/xml-documents.ts'

/** `?kind=` narrows it, as it does the feed page. */
export const { GET } = documentRead('/feed.xml', 'application/atom+xml; charset=utf-8', (ctx, { search }) => {
  const kind = ENTITY_KINDS.find((each) => each === search.get('kind'))
  return atomFeed(ctx, kind)
})

export const dynamic = 'force-dynamic'
