import { ENTITY_KINDS } from '../../lib/domain/entity.ts'
import { answerDocument } from '../../lib/site-data/answer-document.ts'
import { atomFeed } from '../../lib/site-data/atom.ts'

/** `?kind=` narrows it, as it does the feed page. */
export function GET(request: Request): Promise<Response> {
  const asked = new URL(request.url).searchParams.get('kind')
  const kind = ENTITY_KINDS.find((each) => each === asked)
  return answerDocument(request, 'the Atom feed', 'application/atom+xml; charset=utf-8', (ctx) =>
    atomFeed(ctx, kind),
  )
}

export const dynamic = 'force-dynamic'
