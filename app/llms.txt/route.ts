import { llmsTxt } from '#lib/server/docs/texts.ts'
import { answerDocument } from '#lib/views/read.ts'

export function GET(request: Request): Promise<Response> {
  return answerDocument(request, 'llms.txt', 'text/plain; charset=utf-8', async ({ config }) =>
    llmsTxt(config.siteOrigin),
  )
}

export const dynamic = 'force-dynamic'
