import {
  type PluginVersion,
  type PluginWorld,
  pluginVersion,
  pluginWorld,
  pluginWorlds,
} from '#lib/views/gallery.ts'
import { readGalleryQuery } from '#lib/views/gallery-query.ts'
import { readForPage } from '#lib/views/read.ts'

const headers = { 'Cache-Control': 'no-store' }

/**
 * Worlds for the studio: a page of `{"worlds": […], "next"?: "?…"}` for `?q=` and `?after=`; the one of `?id=`; or what
 * there is of the version `?bundle=` of the World at `?slug=`. 404 with null when there is none.
 */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const [id, bundle] = [searchParams.get('id'), searchParams.get('bundle')]
  if (id !== null || bundle !== null) {
    const reading = await readForPage<PluginVersion | PluginWorld | null>('a World for the studio', (ctx) =>
      bundle === null
        ? pluginWorld(ctx, id ?? '')
        : pluginVersion(ctx, bundle, searchParams.get('slug') ?? ''),
    )
    if (!reading.ok) return Response.json(null, { status: 503, headers })
    return Response.json(reading.value, { status: reading.value === null ? 404 : 200, headers })
  }
  const query = readGalleryQuery(Object.fromEntries(searchParams))
  const reading = await readForPage('Worlds for the studio', (ctx) => pluginWorlds(ctx, query))
  if (!reading.ok) return Response.json({ worlds: [] }, { status: 503, headers })
  return Response.json(reading.value, { headers })
}

export const dynamic = 'force-dynamic'
