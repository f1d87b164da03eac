import { galleryTiles } from '#lib/views/gallery.ts'
import { readGalleryQuery } from '#lib/views/gallery-query.ts'
import { readForPage } from '#lib/views/read.ts'

/** Another page of the gallery, for the query of its address: `{"tiles": […], "next"?: "?…"}`. */
export async function GET(request: Request): Promise<Response> {
  const query = readGalleryQuery(Object.fromEntries(new URL(request.url).searchParams))
  const reading = await readForPage('a page of the gallery', (ctx) => galleryTiles(ctx, query))
  const headers = { 'Cache-Control': 'no-store' }
  if (!reading.ok) return Response.json({ tiles: [] }, { status: 503, headers })
  return Response.json(reading.value, { headers })
}

export const dynamic = 'force-dynamic'
