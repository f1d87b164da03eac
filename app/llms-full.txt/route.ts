import { answerDocument } from '../../lib/site-data/answer-document.ts'
import { DOC_PAGES } from '../../lib/site-data/docs/catalog.ts'
import { allDocs } from '../../lib/site-data/docs/markdown-twin.ts'

export function GET(request: Request): Promise<Response> {
  return answerDocument(request, 'llms-full.txt', 'text/plain; charset=utf-8', async ({ config }) =>
    allDocs(config.siteOrigin, DOC_PAGES),
  )
}

export const dynamic = 'force-dynamic'
