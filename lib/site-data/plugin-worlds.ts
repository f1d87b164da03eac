import type { Context } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import { bareHash, type WorldNeeds } from '../domain/world-compatibility.ts'
import { browseWorlds } from '../worlds/browse-worlds.ts'
import { getWorld } from '../worlds/get-world.ts'
import type { World } from '../worlds/world.ts'
import { type Tile, tilesOf } from './gallery.ts'
import { type GalleryQuery, galleryParams } from './gallery-query.ts'

const SURFACE = 'studio-plugin'
const PAGE_WORLDS = 24
/** Formats of one World whose values are told. */
const FORMATS = 8

/** A World that connectors in the studio can feed. Plain data: it travels from server to browser. */
export interface PluginWorld {
  readonly tile: Tile
  readonly needs: WorldNeeds
  /** Labels of the values of formats that it names, as its manifest spells their hashes; of what is known. */
  readonly formats: readonly { readonly hash: string; readonly scalars: readonly string[] }[]
}

export interface PluginWorlds {
  readonly worlds: readonly PluginWorld[]
  /** Query of the address of the following page; absent at the end of the list. */
  readonly next?: string | undefined
}

/** Worlds for the studio, the ones changed last first. @throws What the database throws when it cannot be read. */
export async function pluginWorlds(
  ctx: Context,
  { search, after }: Pick<GalleryQuery, 'search' | 'after'>,
): Promise<PluginWorlds> {
  const { worlds, next } = await browseWorlds(ctx, {
    search,
    surface: SURFACE,
    format: undefined,
    permission: undefined,
    order: 'changed',
    after,
    limit: PAGE_WORLDS,
  })
  return {
    worlds: await asPlugins(ctx, worlds),
    ...(next && { next: galleryParams({ search, after: next }) }),
  }
}

/** Null when there is no such World, or none for the studio. @throws What the database throws. */
export async function pluginWorld(ctx: Context, id: string): Promise<PluginWorld | null> {
  const world = await getWorld(ctx, id).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  })
  if (!world?.manifest.surfaces.includes(SURFACE)) return null
  const [plugin = null] = await asPlugins(ctx, [world])
  return plugin
}

async function asPlugins(ctx: Context, worlds: readonly World[]): Promise<readonly PluginWorld[]> {
  const named = worlds.map(({ manifest }) => manifest.acceptedFormatHashes.slice(0, FORMATS))
  const [tiles, known] = await Promise.all([tilesOf(ctx, worlds), scalarsOf(ctx, named.flat())])
  return worlds.flatMap(({ manifest: { acceptedFormatHashes, acceptedConnectorSets } }, index) => {
    const tile = tiles[index]
    if (tile === undefined) return []
    const formats = (named[index] ?? []).flatMap((hash) => {
      const scalars = known.get(bareHash(hash))
      return scalars === undefined ? [] : [{ hash, scalars }]
    })
    return [{ tile, needs: { acceptedFormatHashes, acceptedConnectorSets }, formats }]
  })
}

async function scalarsOf(
  { db }: Context,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (hashes.length === 0) return new Map()
  const wanted = [...new Set(hashes.map((hash) => `0x${bareHash(hash)}`))]
  const rows = await db.sql<{ format_hash: string; scalars: readonly string[] }[]>`
    select format_hash, scalars from formats where format_hash = any(${wanted}::text[])`
  return new Map(rows.map(({ format_hash, scalars }) => [bareHash(format_hash), scalars]))
}
