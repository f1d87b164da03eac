import {
  type PluginVersion,
  type PluginWorld,
  pluginVersion,
  pluginWorld,
  pluginWorlds,
} from '#lib/views/gallery.ts'
import { readGalleryQuery } from '#lib/views/gallery-query.ts'
import { answerJson } from '#lib/views/read.ts'

/**
 * Worlds for the studio: a page of `{"worlds": […], "next"?: "?…"}` for `?q=` and `?after=`; the one of `?id=`; or what
 * there is of the version `?bundle=` of the World at `?slug=`. 404 with null when there is none.
 */
export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const [id, bundle] = [searchParams.get('id'), searchParams.get('bundle')]
  if (id !== null || bundle !== null) {
    return answerJson<PluginVersion | PluginWorld | null>('a World for the studio', (ctx) =>
      bundle === null
        ? pluginWorld(ctx, id ?? '')
        : pluginVersion(ctx, bundle, searchParams.get('slug') ?? ''),
    )
  }
  const query = readGalleryQuery(Object.fromEntries(searchParams))
  return answerJson('Worlds for the studio', (ctx) => pluginWorlds(ctx, query), { worlds: [] })
}

export const dynamic = 'force-dynamic'
