import type { Context } from '../context.ts'
import type { Address, Hash } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import type { WorldNeeds } from '../domain/world-compatibility.ts'
import { namesOf } from '../social/names-of.ts'
import type { FramedWorld } from '../ui/world/framed-world.ts'
import { browseWorlds } from '../worlds/browse-worlds.ts'
import { getWorld } from '../worlds/get-world.ts'
import type { World } from '../worlds/world.ts'
import { type WorldFormat, worldFormats } from '../worlds/world-formats.ts'
import { type GalleryQuery, galleryParams, readGalleryQuery } from './gallery-query.ts'
import { type Candidate, type Feeding, framedWorld, worldView } from './world.ts'

const PAGE_TILES = 24
/** Formats offered as a filter. */
const FORMATS = 6

/** What a World's tile shows. Plain data: it travels from server to browser. */
export interface ShownTile {
  readonly id: string
  readonly slug: string
  readonly owner: Address
  /** What the owner is called; absent for who has given no name. */
  readonly ownerName?: string | undefined
  readonly summary: string
  /** For a World without a picture. */
  readonly bundleHash: string
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
  /** That Worlds name, those of most Worlds first; the one that is asked for among them. */
  readonly formats: readonly WorldFormat[]
  /** Whether there is any World, however little is found. */
  readonly any: boolean
  /** The World that the address opens; null when there is none of that id. */
  readonly opened: OpenedWorld | null | undefined
}

/** A World in front of the gallery, fed with what suits it best. */
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
  const { worlds, next } = await browseWorlds(ctx, { ...query, limit: PAGE_TILES })
  return {
    tiles: await tilesOf(ctx, worlds),
    ...(next && { next: galleryParams({ ...query, after: next }) }),
  }
}

/** Null when there is no such World. @throws What the database throws when it cannot be read. */
export async function openedWorld(ctx: Context, id: string): Promise<OpenedWorld | null> {
  const world = await getWorld(ctx, id).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  })
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
  const names = await namesOf(
    ctx,
    worlds.map(({ owner }) => owner),
  )
  return worlds.map((world) => {
    const { id, owner, bundleHash, manifest } = world
    return {
      id,
      slug: manifest.slug,
      owner,
      ownerName: names.get(owner),
      summary: summaryOf(manifest.shortDescription ?? manifest.description),
      surfaces: manifest.surfaces,
      bundleHash,
      framed: framedWorld(ctx, world),
    }
  })
}

const MAX_SUMMARY = 160

function summaryOf(text: string): string {
  const [start = ''] = text.split(/\n\s*\n/, 1)
  return start.length <= MAX_SUMMARY ? start : `${start.slice(0, MAX_SUMMARY - 1).toWellFormed()}…`
}

async function offeredFormats(ctx: Context, asked: Hash | undefined): Promise<readonly WorldFormat[]> {
  const formats = await worldFormats(ctx, { limit: FORMATS })
  if (asked === undefined || formats.some(({ formatHash }) => formatHash === asked)) return formats
  return [...formats, { formatHash: asked, worlds: 0, scalars: [] }]
}

async function anyWorld(ctx: Context): Promise<boolean> {
  const { worlds } = await browseWorlds(ctx, { ...readGalleryQuery({}), limit: 1 })
  return worlds.length > 0
}
