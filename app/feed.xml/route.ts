import { ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { answerDocument } from '#lib/views/read.ts'
import { atomFeed } from '#lib/views/xml-documents.ts'

/** `?kind=` narrows it, as it does the feed page. */
export function GET(request: Request): Promise<Response> {
  const asked = new URL(request.url).searchParams.get('kind')
  const kind = ENTITY_KINDS.find((each) => each === asked)
  return answerDocument(request, 'the Atom feed', 'application/atom+xml; charset=utf-8', (ctx) =>
    atomFeed(ctx, kind),
  )
}

export const dynamic = 'force-dynamic'
