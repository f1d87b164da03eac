import { openedWorld } from '#lib/views/gallery.ts'
import { readForPage } from '#lib/views/read.ts'

/** A World with what feeds it, by `?id=`; 404 with null when there is none. */
export async function GET(request: Request): Promise<Response> {
  const id = new URL(request.url).searchParams.get('id') ?? ''
  const reading = await readForPage('a World of the gallery', (ctx) => openedWorld(ctx, id))
  const headers = { 'Cache-Control': 'no-store' }
  if (!reading.ok) return Response.json(null, { status: 503, headers })
  return Response.json(reading.value, { status: reading.value === null ? 404 : 200, headers })
}

export const dynamic = 'force-dynamic'
