import { ImageResponse } from 'next/og'
import { entityExists } from '../../../../../lib/entities/get-entity.ts'
import { readRunLink } from '../../../../../lib/protocol/run-link.ts'
import { queryOf } from '../../../../../lib/views/page-exists.ts'
import { readForPage } from '../../../../../lib/views/read.ts'
import { runPicture } from '../../../../../lib/views/run-page.ts'
import { PICTURE, Picture } from '../../_run/picture.tsx'

/** Drawing one takes most of a second of one core; concurrency is limited. */
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
  if (!read.ok) return textResponse(400, read.problems.join('\n'))
  const { link } = read
  const reading = await readForPage(`the picture of a run of ${name}`, async (ctx) =>
    (await entityExists(ctx, 'connector', name)) ? runPicture(ctx, link) : undefined,
  )
  if (!reading.ok) return textResponse(503, 'The network cannot be read right now')
  if (reading.value === undefined) return textResponse(404, 'There is no such connector')
  const { result, lasting } = reading.value
  if (drawing >= MOST_AT_ONCE)
    return textResponse(503, 'Too many pictures are being drawn', { 'Retry-After': '2' })
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

function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })
}
