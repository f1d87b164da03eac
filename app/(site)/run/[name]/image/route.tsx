import { ImageResponse } from 'next/og'
import { readRunLink } from '../../../../../lib/domain/run-link.ts'
import { queryOf } from '../../../../../lib/site-data/broken-run-link.ts'
import { readForPage } from '../../../../../lib/site-data/read.ts'
import { connectorExists, runPicture } from '../../../../../lib/site-data/run-page.ts'
import { PICTURE, Picture } from '../../_run/picture.tsx'

/** Drawing one takes the better part of a second of one core; strangers must not get all of it. */
const MOST_AT_ONCE = 2
let drawing = 0

const DAY = 86_400

/** The picture of a run, for where its link is shared. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ name: string }> },
): Promise<Response> {
  const { name } = await params
  const read = readRunLink(name, queryOf(new URL(request.url).searchParams))
  if (!read.ok) return said(400, read.problems.join('\n'))
  const { link } = read
  const reading = await readForPage(`the picture of a run of ${name}`, async (ctx) =>
    (await connectorExists(ctx, name)) ? runPicture(ctx, link) : undefined,
  )
  if (!reading.ok) return said(503, 'The network cannot be read right now')
  if (reading.value === undefined) return said(404, 'There is no such connector')
  const { result, lasting } = reading.value
  if (drawing >= MOST_AT_ONCE) return said(503, 'Too many pictures are being drawn', { 'Retry-After': '2' })
  drawing += 1
  try {
    const image = new ImageResponse(<Picture link={link} result={result} />, PICTURE)
    const settled = lasting && (result.run.state === 'particles' || result.run.state === 'rejected')
    return new Response(await image.arrayBuffer(), {
      headers: {
        'Content-Type': 'image/png',
        'Cache-Control': settled ? `public, max-age=${link.block ? DAY : 600}` : 'no-store',
      },
    })
  } finally {
    drawing -= 1
  }
}

function said(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })
}
