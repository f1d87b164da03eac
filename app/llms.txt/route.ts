import { answerDocument } from '../../lib/site-data/answer-document.ts'
import { llmsTxt } from '../../lib/site-data/docs/llms-txt.ts'

export function GET(request: Request): Promise<Response> {
  return answerDocument(request, 'llms.txt', 'text/plain; charset=utf-8', async ({ config }) =>
    llmsTxt(config.siteOrigin),
  )
}

export const dynamic = 'force-dynamic'
