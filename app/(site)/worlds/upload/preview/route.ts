import { readForPage } from '#lib/views/read.ts'
import { previewView } from '#lib/views/world.ts'

/** A bundle that is looked at before it is published, with what feeds it, by `?id=`; 404 with null when it is gone. */
export async function GET(request: Request): Promise<Response> {
  const id = new URL(request.url).searchParams.get('id') ?? ''
  const reading = await readForPage('a preview of a World', (ctx) => previewView(ctx, id))
  const headers = { 'Cache-Control': 'no-store' }
  if (!reading.ok) return Response.json(null, { status: 503, headers })
  return Response.json(reading.value, { status: reading.value === null ? 404 : 200, headers })
}

export const dynamic = 'force-dynamic'
