import { docHref, findDoc } from '#lib/server/docs/catalog.ts'
import { markdownTwin, siteOrigin } from '#lib/server/docs/texts.ts'
import { documentResponse } from '#lib/server/http/etag.ts'

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
    // Makes search engines index the HTML page instead.
    Link: `<${docHref(page)}>; rel="canonical"`,
  })
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' }

export const dynamic = 'force-dynamic'
