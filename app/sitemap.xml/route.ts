import { answerDocument } from '#lib/views/read.ts'
import { sitemap } from '#lib/views/xml-documents.ts'

export function GET(request: Request): Promise<Response> {
  return answerDocument(request, 'the sitemap', 'application/xml; charset=utf-8', sitemap)
}

export const dynamic = 'force-dynamic'
