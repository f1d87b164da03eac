import { documentResponse } from '../../../lib/http/etag.ts'
import { docHref, findDoc } from '../../../lib/site-data/docs/catalog.ts'
import { markdownTwin } from '../../../lib/site-data/docs/markdown-twin.ts'
import { siteOrigin } from '../../../lib/site-data/docs/read-doc.ts'

interface Props {
  params: Promise<{ slug?: string[] }>
}

/** What `/docs/….md` answers with; the addresses lead here by a rewrite. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const page = findDoc(((await params).slug ?? []).join('/'))
  if (page === undefined) return new Response('There is no such page.\n', { status: 404, headers: TEXT })
  return documentResponse(request, markdownTwin(page, await siteOrigin()), {
    'Content-Type': 'text/markdown; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
    // Searches lead people to the page.
    Link: `<${docHref(page)}>; rel="canonical"`,
  })
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' }

export const dynamic = 'force-dynamic'
