import { type OEmbedAnswer, oEmbed } from '#lib/views/oembed.ts'
import { readForPage } from '#lib/views/read.ts'

const REFUSALS: Readonly<Record<Exclude<OEmbedAnswer['status'], 200>, string>> = {
  400: 'Send url, an address of this site, and maxwidth and maxheight as whole numbers.',
  404: 'There is nothing to embed at this address.',
  501: 'The format is json.',
}

/** Any site may read it: it holds nothing that is not on public pages. */
const HEADERS = { 'Access-Control-Allow-Origin': '*' }

export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const reading = await readForPage('an oEmbed document', (ctx) => oEmbed(ctx, searchParams))
  if (!reading.ok) {
    return Response.json(
      { message: 'The network cannot be read right now.' },
      { status: 503, headers: { ...HEADERS, 'Retry-After': '30' } },
    )
  }
  const answer = reading.value
  if (answer.status !== 200)
    return Response.json({ message: REFUSALS[answer.status] }, { status: answer.status, headers: HEADERS })
  return Response.json(answer.document, { headers: { ...HEADERS, 'Cache-Control': 'public, max-age=600' } })
}

export const dynamic = 'force-dynamic'
