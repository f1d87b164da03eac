import type { Context } from '#lib/core/context/context.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { getWorld } from '#lib/core/worlds/get-world.ts'
import { browseWorlds, type WorldFormat, worldFormats } from '#lib/core/worlds/list-worlds.ts'
import type { World } from '#lib/core/worlds/world.ts'
import { findVersion } from '#lib/core/worlds/world-versions.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { bareHash, type WorldNeeds } from '#lib/protocol/world-compatibility.ts'
import { undefinedOn } from './expected-failures.ts'
import type { FramedWorld } from './framed-world.ts'
import { type GalleryQuery, galleryParams, readGalleryQuery } from './gallery-query.ts'
import { type PieceCounts, pieceCounts } from './piece-counts.ts'
import { type Candidate, type Feeding, framedWorld, worldView } from './world.ts'

const PAGE_TILES = 24
/** Formats offered as a filter. */
const FORMATS = 6

/** A World's tile. Plain data, sent from server to browser. */
export interface ShownTile {
  readonly id: string
  readonly slug: string
  readonly owner: Address
  /** The owner's display name; absent without one. */
  readonly ownerName?: string | undefined
  readonly summary: string
  /** Absent on tiles of what is not published. */
  readonly counts?: PieceCounts | undefined
  readonly framed: Pick<FramedWorld, 'name' | 'permissions' | 'previewUrl'>
}

/** A World in the gallery, which can be opened in place. */
export interface Tile extends ShownTile {
  readonly surfaces: readonly string[]
  readonly framed: FramedWorld
}

export interface Tiles {
  readonly tiles: readonly Tile[]
  /** Query of the address of the following page; absent at the end of the list. */
  readonly next?: string | undefined
}

export interface GalleryView extends Tiles {
  /** Formats for the filter, the most frequent first; includes the query's. */
  readonly formats: readonly WorldFormat[]
  /** Whether any World exists. */
  readonly any: boolean
  /** The World that the address opens; null for an unknown id. */
  readonly opened: OpenedWorld | null | undefined
}

/** A World opened in the gallery, with its default feed. */
export interface OpenedWorld {
  readonly tile: Tile
  readonly needs: WorldNeeds
  /** Connectors to feed it with, the best first. */
  readonly candidates: readonly Candidate[]
  /** Absent in an empty network. */
  readonly fed?: Feeding | undefined
}

/** @throws What the database throws when it cannot be read. */
export async function galleryView(
  ctx: Context,
  query: GalleryQuery,
  openedId: string | undefined,
): Promise<GalleryView> {
  const [page, formats, opened] = await Promise.all([
    galleryTiles(ctx, query),
    offeredFormats(ctx, query.format),
    openedId === undefined ? undefined : openedWorld(ctx, openedId),
  ])
  return { ...page, formats, opened, any: page.tiles.length > 0 || (await anyWorld(ctx)) }
}

/** A page of the gallery alone. @throws What the database throws when it cannot be read. */
export async function galleryTiles(ctx: Context, query: GalleryQuery): Promise<Tiles> {
  const { worlds, next } = await browseWorlds(ctx, {
    ...query,
    featured: ctx.config.featured.worlds,
    limit: PAGE_TILES,
  })
  return {
    tiles: await tilesOf(ctx, worlds),
    ...(next && { next: galleryParams({ ...query, after: next }) }),
  }
}

/** Null when there is no such World. @throws What the database throws when it cannot be read. */
export async function openedWorld(ctx: Context, id: string): Promise<OpenedWorld | null> {
  const world = await getWorld(ctx, id).catch(undefinedOn('not_found'))
  if (world === undefined) return null
  const { slug, acceptedFormatHashes, acceptedConnectorSets } = world.manifest
  const [[tile], view] = await Promise.all([
    tilesOf(ctx, [world]),
    worldView(ctx, slug, { connector: undefined, count: undefined, dynamicRi: [], slots: [] }),
  ])
  if (tile === undefined || view === undefined) return null
  return {
    tile,
    needs: { acceptedFormatHashes, acceptedConnectorSets },
    candidates: view.candidates,
    ...(view.fed && { fed: view.fed }),
  }
}

/** Worlds as tiles, in their order. @throws What the database throws when it cannot be read. */
export async function tilesOf(ctx: Context, worlds: readonly World[]): Promise<readonly Tile[]> {
  const [names, countsOfWorld] = await Promise.all([
    namesOf(
      ctx,
      worlds.map(({ owner }) => owner),
    ),
    pieceCounts(
      ctx,
      worlds.map(({ id }) => ({ kind: 'world', name: id })),
    ),
  ])
  return worlds.map((world) => {
    const { id, owner, manifest } = world
    return {
      id,
      slug: manifest.slug,
      owner,
      ownerName: names.get(owner),
      summary: summaryOf(manifest.shortDescription ?? manifest.description),
      counts: countsOfWorld({ kind: 'world', name: id }),
      surfaces: manifest.surfaces,
      framed: framedWorld(ctx, world),
    }
  })
}

const MAX_SUMMARY = 160

function summaryOf(text: string): string {
  const [start = ''] = text.split(/\n\s*\n/, 1)
  return start.length <= MAX_SUMMARY ? start : `${start.slice(0, MAX_SUMMARY - 1).toWellFormed()}…`
}

async function offeredFormats(ctx: Context, requested: Hash | undefined): Promise<readonly WorldFormat[]> {
  const formats = await worldFormats(ctx, { limit: FORMATS })
  if (requested === undefined || formats.some(({ formatHash }) => formatHash === requested)) return formats
  return [...formats, { formatHash: requested, worlds: 0, scalars: [] }]
}

async function anyWorld(ctx: Context): Promise<boolean> {
  const { worlds } = await browseWorlds(ctx, { ...readGalleryQuery({}), limit: 1 })
  return worlds.length > 0
}

const SURFACE = 'studio-plugin'
const PAGE_WORLDS = 24
/** Maximum formats of a World that are labelled. */
const PLUGIN_FORMATS = 8

/** A World for connectors in the studio. Plain data, sent from server to browser. */
export interface PluginWorld {
  readonly tile: Tile
  /** SHA-256 of the bundle that the tile shows, 64 lower-case hex digits. */
  readonly bundleHash: string
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
  const world = await getWorld(ctx, id).catch(undefinedOn('not_found'))
  if (!world?.manifest.surfaces.includes(SURFACE)) return null
  const [plugin = null] = await asPlugins(ctx, [world])
  return plugin
}

/** A World for the studio by its bundle: in that version, in its newest one, or the answer that it was deleted. */
export type PluginVersion =
  | { readonly found: 'version' | 'newest'; readonly world: PluginWorld }
  | { readonly found: 'deleted' }

/**
 * The World of a bundle, whose frame shows the version that was found at the address of its bundle. Of a bundle that was
 * never published here, the World at `slug` is the answer. Null for none, or none for the studio.
 *
 * @throws What the database throws.
 */
export async function pluginVersion(
  ctx: Context,
  bundleHash: string,
  slug: string,
): Promise<PluginVersion | null> {
  const version = await findVersion(ctx, bundleHash, slug)
  if (version === undefined || version.found === 'deleted') return version ?? null
  const { found, world } = version
  if (!world.manifest.surfaces.includes(SURFACE)) return null
  const [plugin] = await asPlugins(ctx, [world])
  if (plugin === undefined) return null
  const framed = framedWorld(ctx, world, world.bundleHash)
  return { found, world: { ...plugin, tile: { ...plugin.tile, framed } } }
}

async function asPlugins(ctx: Context, worlds: readonly World[]): Promise<readonly PluginWorld[]> {
  const formatHashes = worlds.map(({ manifest }) => manifest.acceptedFormatHashes.slice(0, PLUGIN_FORMATS))
  const [tiles, scalarsByFormat] = await Promise.all([
    tilesOf(ctx, worlds),
    scalarsOf(ctx, formatHashes.flat()),
  ])
  return worlds.flatMap(
    ({ bundleHash, manifest: { acceptedFormatHashes, acceptedConnectorSets } }, index) => {
      const tile = tiles[index]
      if (tile === undefined) return []
      const formats = (formatHashes[index] ?? []).flatMap((hash) => {
        const scalars = scalarsByFormat.get(bareHash(hash))
        return scalars === undefined ? [] : [{ hash, scalars }]
      })
      return [{ tile, bundleHash, needs: { acceptedFormatHashes, acceptedConnectorSets }, formats }]
    },
  )
}

async function scalarsOf(
  { db }: Context,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (hashes.length === 0) return new Map()
  const formatHashes = [...new Set(hashes.map((hash) => `0x${bareHash(hash)}`))]
  const rows = await db.sql<{ format_hash: string; scalars: readonly string[] }[]>`
    select format_hash, scalars from formats where format_hash = any(${formatHashes}::text[])`
  return new Map(rows.map(({ format_hash, scalars }) => [bareHash(format_hash), scalars]))
}
