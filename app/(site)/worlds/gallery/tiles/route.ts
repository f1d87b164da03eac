import { galleryTiles } from '#lib/views/gallery.ts'
import { readGalleryQuery } from '#lib/views/gallery-query.ts'
import { answerJson } from '#lib/views/read.ts'

/** Another page of the gallery, for the query of its address: `{"tiles": […], "next"?: "?…"}`. */
export function GET(request: Request): Promise<Response> {
  const query = readGalleryQuery(Object.fromEntries(new URL(request.url).searchParams))
  return answerJson('a page of the gallery', (ctx) => galleryTiles(ctx, query), { tiles: [] })
}

export const dynamic = 'force-dynamic'
