import type { Context } from '#lib/core/context/context.ts'
import { findPieces } from '#lib/core/entities/author-words.ts'
import { findEntityPublication } from '#lib/core/entities/find-publication.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { getWorldBySlug } from '#lib/core/worlds/get-world.ts'
import { firstWorlds } from '#lib/core/worlds/list-worlds.ts'
import { bundlesOf } from '#lib/core/worlds/world-versions.ts'
import { MAX_VERSIONS, readPlace, readWall, type WallPlace, writePlace } from '#lib/features/pieces/index.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import { undefinedOn } from './expected-failures.ts'
import { type PluginVersion, pluginVersion } from './gallery.ts'
import { firstOf, pageHref, type QueryParams } from './query.ts'
import { PAGE_PARTICLES, type Stream } from './run.ts'
import { runForPage } from './run-connector.ts'

const PAGE_TILES = 24
/** Worlds offered as a filter. */
const WORLDS = 8
const HOUR_MS = 3_600_000

/** Filters of the wall, from the longest time to the shortest. */
const WALL_TIMES = ['ever', 'week', 'new'] as const
export type WallTime = (typeof WALL_TIMES)[number]

const LASTS_MS: Readonly<Record<WallTime, number | undefined>> = {
  ever: undefined,
  week: 7 * 24 * HOUR_MS,
  new: 24 * HOUR_MS,
}

/** Filters of whose pieces there are. */
const WALL_SORTS = ['all', 'remixed', 'followed'] as const
export type WallSort = (typeof WALL_SORTS)[number]

/** The query of the wall's address. */
export interface WallAddress {
  readonly time: WallTime
  readonly of: WallSort
  /** Slug of a World. */
  readonly world: string | undefined
  readonly after: WallPlace | undefined
}

/** Parses the query of an address; ignores invalid values. */
export function readWallQuery(params: QueryParams): WallAddress {
  const first = (name: string): string => firstOf(params[name]) ?? ''
  const world = first('world')
  return {
    time: WALL_TIMES.find((time) => time === first('time')) ?? 'ever',
    of: WALL_SORTS.find((sort) => sort === first('of')) ?? 'all',
    world: /^[a-z0-9-]{1,80}$/.test(world) ? world : undefined,
    after: readPlace(first('after')),
  }
}

/** Address of the wall for a query. */
export function wallHref({ time, of, world, after }: Partial<WallAddress>): string {
  return pageHref('/discover', {
    time: time !== 'ever' && time,
    of: of !== 'all' && of,
    world,
    after: after && writePlace(after),
  })
}

/** A piece on the wall. Plain data, sent from server to browser. */
export interface WallTile {
  readonly name: string
  readonly title?: string | undefined
  readonly owner: Address
  readonly ownerName?: string | undefined
  readonly madeFrom?: { readonly name: string; readonly title?: string | undefined } | undefined
  /** Whether its author chose a World for it. */
  readonly hasWorld: boolean
  /** Name of that World; undefined where it is not here. */
  readonly worldName?: string | undefined
  /** Whether its author chose an instrument for it. */
  readonly hasSound: boolean
}

/** A page of the wall. Plain data, sent from server to browser. */
export interface WallPage {
  readonly tiles: readonly WallTile[]
  /** Query of the address of the following page, with its question mark; absent at the end. */
  readonly next?: string | undefined
}

export interface WallView extends WallPage {
  /** Worlds offered as a filter, the chosen one among them. */
  readonly worlds: readonly { readonly slug: string; readonly name: string }[]
}

/**
 * The view of the wall of pieces.
 *
 * @param viewer The signed-in account; without one nobody is followed.
 * @throws What the database throws when it cannot be read.
 */
export async function wallView(
  ctx: Context,
  query: WallAddress,
  viewer: Address | undefined,
): Promise<WallView> {
  const filter = worldOf(ctx, query)
  const [page, worlds, world] = await Promise.all([
    wallPage(ctx, query, viewer, filter),
    firstWorlds(ctx, { limit: WORLDS, featured: ctx.config.featured.worlds }),
    filter,
  ])
  const offered = worlds.map(({ manifest: { slug, name } }) => ({ slug, name }))
  const isOffered = offered.some(({ slug }) => slug === query.world)
  const also =
    query.world === undefined || isOffered
      ? []
      : [{ slug: query.world, name: world?.manifest.name ?? query.world }]
  return { ...page, worlds: [...offered, ...also] }
}

/** A page of the wall alone. @throws What the database throws when it cannot be read. */
export async function wallPage(
  ctx: Context,
  query: WallAddress,
  viewer: Address | undefined,
  filter?: ReturnType<typeof worldOf>,
): Promise<WallPage> {
  if (query.of === 'followed' && viewer === undefined) return { tiles: [] }
  const world = await (filter ?? worldOf(ctx, query))
  const lasts = LASTS_MS[query.time]
  const { pieces, next } = await readWall(ctx, {
    bundles: query.world === undefined ? undefined : world ? await bundlesOf(ctx, world, MAX_VERSIONS) : [],
    remixed: query.of === 'remixed',
    sinceMs: lasts === undefined ? undefined : ctx.clock().getTime() - lasts,
    follower: query.of === 'followed' ? viewer : undefined,
    after: query.after,
    limit: PAGE_TILES,
  })
  return {
    tiles: await tilesFor(ctx, pieces),
    ...(next && { next: wallHref({ ...query, after: next }).slice('/discover'.length) }),
  }
}

/** The first tiles of the wall without a filter. @throws What the database throws when it cannot be read. */
export async function firstTiles(ctx: Context, limit: number): Promise<readonly WallTile[]> {
  const { pieces } = await readWall(ctx, { limit })
  return tilesFor(ctx, pieces)
}

/** Tiles of pieces with the names of their owners. */
async function tilesFor(
  ctx: Context,
  pieces: Awaited<ReturnType<typeof readWall>>['pieces'],
): Promise<readonly WallTile[]> {
  const names = await namesOf(
    ctx,
    pieces.map(({ owner }) => owner),
  )
  return pieces.map(({ name, title, owner, madeFrom, present, worldName }) => ({
    name,
    title,
    owner,
    ownerName: names.get(owner),
    madeFrom,
    hasWorld: present?.world !== undefined,
    worldName,
    hasSound: hasInstrument(present),
  }))
}

/** Returns whether an author chose an instrument that sounds. */
export function hasInstrument(present: Presentation | undefined): boolean {
  const paths = present?.sound?.paths ?? []
  return paths.some(({ instrument = 'silent', muted = false }) => instrument !== 'silent' && !muted)
}

/** Reads the World that a query filters by; undefined for none. */
async function worldOf(ctx: Context, { world }: WallAddress) {
  return world === undefined ? undefined : getWorldBySlug(ctx, world).catch(undefinedOn('not_found'))
}

/** Data that brings a tile to life. Plain data, sent from server to browser. */
export interface LivingPiece {
  readonly present?: Presentation | undefined
  readonly address: Address
  readonly formatHash: Hash | undefined
  /** None while the simulator is too busy: ask again. */
  readonly streams: readonly Stream[]
  /** The World that its author chose; null without one. */
  readonly world: PluginVersion | null
}

const DEFAULT_STEPS = 64

/** Null for what is no published piece, and for one that does not generate. @throws What the database throws. */
export async function livingPiece(ctx: Context, name: string): Promise<LivingPiece | null> {
  if (!isEntityName(name)) return null
  const [pieces, publication] = await Promise.all([
    findPieces(ctx, [name]),
    findEntityPublication(ctx, 'connector', name),
  ])
  const piece = pieces.get(name)
  if (piece === undefined || publication === undefined) return null
  const { present } = piece
  const { address, formatHash } = publication
  const [run, world] = await Promise.all([
    runForPage(
      ctx,
      name,
      Math.min(present?.particles ?? DEFAULT_STEPS, PAGE_PARTICLES),
      publication.contentHash,
    ),
    present?.world === undefined ? null : pluginVersion(ctx, present.world.bundle_hash, present.world.slug),
  ])
  const streams = run.state === 'particles' ? run.streams : run.state === 'unavailable' ? [] : undefined
  return streams === undefined ? null : { present, address, formatHash, streams, world }
}
