import { DOC_PAGES } from '#lib/server/docs/catalog.ts'
import { allDocs } from '#lib/server/docs/texts.ts'
import { documentRead } from '#lib/views/site-read.ts'

export const { GET } = documentRead('/llms-full.txt', 'text/plain; charset=utf-8', async ({ config }) =>
  allDocs(config.siteOrigin, DOC_PAGES),
)

export const dynamic = 'force-dynamic'
