import { galleryTiles } from '#lib/views/gallery.ts'
import { readGalleryQuery } from '#lib/views/gallery-query.ts'
import { jsonRead } from '#lib/views/site-read.ts'

/** Another page of the gallery, for the query of its address: `{"tiles": […], "next"?: "?…"}`. */
export const { GET } = jsonRead('/worlds/gallery/tiles', (ctx, { search }) =>
  galleryTiles(ctx, readGalleryQuery(Object.fromEntries(search))),
)

export const dynamic = 'force-dynamic'
