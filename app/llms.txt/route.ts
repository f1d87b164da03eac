import { answerDocument } from '../../lib/site-data/answer-document.ts'
import { llmsTxt } from '../../lib/site-data/docs/llms-txt.ts'

export function GET(): Promise<Response> {
  return answerDocument('llms.txt', 'text/plain; charset=utf-8', async ({ config }) =>
    llmsTxt(config.siteOrigin),
  )
}

export const dynamic = 'force-dynamic'
