import { answerDocument } from '../../lib/site-data/answer-document.ts'
import { sitemap } from '../../lib/site-data/sitemap.ts'

export function GET(request: Request): Promise<Response> {
  return answerDocument(request, 'the sitemap', 'application/xml; charset=utf-8', sitemap)
}

export const dynamic = 'force-dynamic'
