import { pluginVersion, pluginWorld, pluginWorlds } from '#lib/views/gallery.ts'
import { readGalleryQuery } from '#lib/views/gallery-query.ts'
import { jsonRead } from '#lib/views/site-read.ts'

/**
 * Worlds for the studio: a page of `{"worlds": […], "next"?: "?…"}` for `?q=` and `?after=`; the one of `?id=`; or what
 * there is of the version `?bundle=` of the World at `?slug=`.
 */
export const { GET } = jsonRead('/worlds/gallery/plugins', async (ctx, { search }) => {
  const [id, bundle] = [search.get('id'), search.get('bundle')]
  if (bundle !== null) return pluginVersion(ctx, bundle, search.get('slug') ?? '')
  if (id !== null) return pluginWorld(ctx, id)
  return pluginWorlds(ctx, readGalleryQuery(Object.fromEntries(search)))
})

export const dynamic = 'force-dynamic'
