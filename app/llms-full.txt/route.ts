import { DOC_PAGES } from '#lib/server/docs/catalog.ts'
import { allDocs } from '#lib/server/docs/texts.ts'
import { answerDocument } from '#lib/views/read.ts'

export function GET(request: Request): Promise<Response> {
  return answerDocument(request, 'llms-full.txt', 'text/plain; charset=utf-8', async ({ config }) =>
    allDocs(config.siteOrigin, DOC_PAGES),
  )
}

export const dynamic = 'force-dynamic'
