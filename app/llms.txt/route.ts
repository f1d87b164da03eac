import { llmsTxt } from '#lib/server/docs/texts.ts'
import { documentRead } from '#lib/views/site-read.ts'

export const { GET } = documentRead('/llms.txt', 'text/plain; charset=utf-8', async ({ config }) =>
  llmsTxt(config.siteOrigin),
)

export const dynamic = 'force-dynamic'
