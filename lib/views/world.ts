import type { Context } from '#lib/core/context/context.ts'
import { findPieces } from '#lib/core/entities/author-words.ts'
import { connectorFormat, connectorStarts } from '#lib/core/entities/connector-facts.ts'
import { connectorsFor, type FoundConnector } from '#lib/core/entities/connectors-for.ts'
import { findEntityPublication } from '#lib/core/entities/find-publication.ts'
import type { Remixes } from '#lib/core/entities/remixes.ts'
import { publicProfile } from '#lib/core/people/public-profile.ts'
import { getUser } from '#lib/core/people/users.ts'
import { getWorld, getWorldBySlug, listFiles } from '#lib/core/worlds/get-world.ts'
import { firstWorlds } from '#lib/core/worlds/list-worlds.ts'
import { getPreview } from '#lib/core/worlds/preview-world.ts'
import { CAPTURED_PATH, type World } from '#lib/core/worlds/world.ts'
import { findWorldRemixes } from '#lib/core/worlds/world-remixes.ts'
import { findVersion } from '#lib/core/worlds/world-versions.ts'
import { readWall } from '#lib/features/pieces/index.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import {
  bareHash,
  byFit,
  type Compatibility,
  type WorldNeeds,
  worldCompatibility,
} from '#lib/protocol/world-compatibility.ts'
import { countRange, usualCount, within } from '#lib/protocol/world-manifest.ts'
import { primaryOf, type SlotChoice } from '#lib/protocol/world-slots.ts'
import { undefinedOn, undefinedOnFailure } from './expected-failures.ts'
import type { FramedWorld } from './framed-world.ts'
import { type PieceCounts, pieceCounts } from './piece-counts.ts'
import { PAGE_PARTICLES, type Run } from './run.ts'
import { runForPage } from './run-connector.ts'
import { titlesOf } from './titles.ts'

/** Connectors of each sort that a page offers. */
const OFFERED = 24
/** Worlds that the page of a connector offers. */
const OFFERED_WORLDS = 5
/** Connectors tried until one generates. */
const TRIED = 5
/** Positions that a page lists. */
const LISTED_POSITIONS = 200

/** The query of a World's page; absent parts have defaults. */
export interface WorldQuery {
  readonly connector: string | undefined
  /** 1..65536. */
  readonly count: number | undefined
  readonly dynamicRi: readonly PositionedRunningInstance[]
  readonly slots: readonly SlotChoice[]
}

/** A connector that a World can be fed with. */
export interface Candidate {
  readonly name: string
  /** Title of a piece; undefined for one without. */
  readonly title: string | undefined
  readonly owner: Address
  readonly compatibility: Compatibility
}

/** The initial feed of a World. */
export interface Feeding {
  readonly connector: string
  /** Title of a piece; undefined for one without. */
  readonly title: string | undefined
  readonly count: number
  readonly dynamicRi: readonly PositionedRunningInstance[]
  readonly compatibility: Compatibility
  /** Names of the World's slots whose values it carries. */
  readonly carries: readonly string[]
  /** Connectors chosen for slots. */
  readonly slots: readonly SlotChoice[]
  readonly formatHash: Hash
  /** Undefined for a draft. */
  readonly address: Address | undefined
  /** Undefined while dependencies are missing. */
  readonly starts: { readonly lines: readonly StartLine[]; readonly more: boolean } | undefined
  /** Cut to a page's size. */
  readonly run: Run
}

export interface WorldView {
  readonly world: World
  readonly framed: FramedWorld
  /** The owner's display name; undefined without one. */
  readonly ownerName: string | undefined
  readonly size: { readonly files: number; readonly bytes: number }
  readonly counts: PieceCounts
  readonly remixes: Remixes
  /** Best first. */
  readonly candidates: readonly Candidate[]
  /** Undefined in an empty network. */
  readonly fed: Feeding | undefined
  /** Worlds in which what feeds it can be seen. */
  readonly worlds: readonly LinkedWorld[]
  /** The query's connector, if it does not exist. */
  readonly unknown: string | undefined
  readonly origin: string
  readonly nowMs: number
}

/**
 * The view of a World's page, fed with the query's connector, or with the best that generates; undefined for an
 * unknown slug.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function worldView(
  ctx: Context,
  slug: string,
  query: WorldQuery,
): Promise<WorldView | undefined> {
  const world = await getWorldBySlug(ctx, slug).catch(undefinedOn('not_found', 'artifacts_unavailable'))
  if (world === undefined) return undefined
  const feeding = feedsFor(ctx, world, query)
  const [feeds, worlds, files, ownerName, counts, remixes] = await Promise.all([
    feeding,
    feeding.then(({ fed }) =>
      fed === undefined ? [] : worldsOf(ctx, fed.connector, { current: world.manifest }),
    ),
    listFiles(ctx, world.id),
    nameOf(ctx, world.owner),
    pieceCounts(ctx, [{ kind: 'world', name: world.id }]),
    findWorldRemixes(ctx, world),
  ])
  return {
    world,
    framed: framedWorld(ctx, world),
    ownerName,
    remixes,
    size: { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) },
    counts: counts({ kind: 'world', name: world.id }),
    ...feeds,
    worlds,
    origin: ctx.config.siteOrigin,
    nowMs: ctx.clock().getTime(),
  }
}

/**
 * The data that a World's frame needs.
 *
 * @param at Where its files are served: by its id, whatever its version, or by the hash of its bundle.
 */
export function framedWorld(
  ctx: Pick<Context, 'config'>,
  world: Pick<World, 'id' | 'manifest' | 'bundleHash' | 'captured'>,
  at = world.id,
): FramedWorld {
  const { manifest } = world
  const file = (path: string, folder = at) =>
    `${ctx.config.assetOrigin ?? ''}/services/world-assets/${folder}/${path.split('/').map(encodeURIComponent).join('/')}`
  const picture =
    world.captured !== undefined
      ? `${file(CAPTURED_PATH, world.id)}?v=${world.captured.slice(0, 16)}`
      : manifest.preview && `${file(manifest.preview)}?v=${world.bundleHash.slice(0, 16)}`
  return {
    id: world.id,
    name: manifest.name,
    entryUrl: file(manifest.entry),
    permissions: manifest.permissions,
    autonomous: manifest.acceptedConnectorSets.length === 0 && manifest.acceptedFormatHashes.length === 0,
    ...(manifest.valueLimits && { valueLimits: manifest.valueLimits as FramedWorld['valueLimits'] }),
    ...(picture !== undefined && { previewUrl: picture }),
  }
}

type Offered = FoundConnector & { readonly compatibility: Compatibility }

/** The connectors that can feed a World. @throws What the database throws when it cannot be read. */
export async function feedsFor(
  ctx: Context,
  world: Pick<World, 'manifest'> & Partial<Pick<World, 'bundleHash' | 'owner'>>,
  query: WorldQuery,
): Promise<Pick<WorldView, 'candidates' | 'fed' | 'unknown'>> {
  const offered = await offeredConnectors(ctx, world, await piecesOfOwner(ctx, world))
  const [titleOf, fed] = await Promise.all([
    titlesOf(
      ctx,
      offered.map(({ name }) => ({ kind: 'connector', name })),
    ),
    feeding(ctx, world, offered, query),
  ])
  return {
    candidates: offered.map(({ name, owner, compatibility }) => ({
      name,
      title: titleOf({ kind: 'connector', name }),
      owner,
      compatibility,
    })),
    ...fed,
  }
}

/** Names of the pieces that the owner of a World shows in this version of it, the newest first. */
async function piecesOfOwner(
  ctx: Context,
  { bundleHash, owner }: Partial<Pick<World, 'bundleHash' | 'owner'>>,
): Promise<readonly string[]> {
  if (bundleHash === undefined || owner === undefined) return []
  const { pieces } = await readWall(ctx, { bundles: [bundleHash], owner, limit: OFFERED })
  return pieces.map(({ name }) => name)
}

/** @param shownNames Names of connectors that come before all others that fit as they do. */
async function offeredConnectors(
  ctx: Context,
  { manifest }: Pick<World, 'manifest'>,
  shownNames: readonly string[],
): Promise<readonly Offered[]> {
  const sets = manifest.acceptedConnectorSets
  const names = [...new Set(sets.flatMap(({ connectors }) => connectors))]
  const formatHashes = manifest.acceptedFormatHashes.map((hash): Hash => `0x${bareHash(hash)}`)
  // Those that the manifest names are offered however many are shown in it.
  const connectors = await connectorsFor(
    ctx,
    { names: [...new Set([...names, ...shownNames])], formatHashes, carrying: names },
    OFFERED,
  )
  const anything = names.length === 0 && formatHashes.length === 0
  const offered = connectors.map((each) => ({ ...each, compatibility: worldCompatibility(manifest, each) }))
  // Without requirements, chosen connectors come first, then those with the most scalars, up to five.
  const sorted = anything ? offered.toSorted((a, b) => richness(b) - richness(a)) : offered
  const isShown = ({ name }: Offered) => Number(shownNames.includes(name))
  return byFit(sorted.toSorted((a, b) => isShown(b) - isShown(a)))
}

function richness({ scalars, featured }: FoundConnector): number {
  if (featured) return 6
  return scalars.length > 5 ? 0 : scalars.length
}

async function feeding(
  ctx: Context,
  world: Pick<World, 'manifest'>,
  offered: readonly Offered[],
  query: WorldQuery,
): Promise<Pick<WorldView, 'fed' | 'unknown'>> {
  const limits = world.manifest.valueLimits as FramedWorld['valueLimits']
  const count = query.count === undefined ? usualCount(limits) : within(query.count, countRange(limits))
  const requested = query.connector
  const format =
    requested === undefined
      ? undefined
      : await connectorFormat(ctx, requested).catch(undefinedOn('not_found', 'artifacts_unavailable'))
  if (requested !== undefined && format !== undefined) {
    const publication = await findEntityPublication(ctx, 'connector', requested)
    const compatibility = worldCompatibility(world.manifest, { name: requested, ...format })
    const { dynamicRi, slots } = query
    const { carries } = primaryOf({ name: requested, ...format }, world.manifest)
    const { formatHash } = format
    const address = publication?.address
    const link = {
      connector: requested,
      count,
      dynamicRi,
      compatibility,
      carries,
      slots,
      formatHash,
      address,
    }
    return { fed: await feed(ctx, link, publication?.contentHash), unknown: undefined }
  }
  let fed: Feeding | undefined
  for (const { contentHash, address, compatibility, ...entity } of offered.slice(0, TRIED)) {
    const { name: connector, carries } = primaryOf(entity, world.manifest)
    const { formatHash } = entity
    const { slots } = query
    const link = { connector, count, dynamicRi: [], compatibility, carries, slots, formatHash, address }
    const one = await feed(ctx, link, contentHash)
    fed ??= one
    if (one.run.state !== 'particles') continue
    fed = one
    break
  }
  return { fed, unknown: requested }
}

async function feed(
  ctx: Context,
  request: Omit<Feeding, 'run' | 'starts' | 'title'>,
  contentHash: string | undefined,
): Promise<Feeding> {
  const { connector } = request
  const [titleOf, run, starts] = await Promise.all([
    titlesOf(ctx, [{ kind: 'connector', name: connector }]),
    runForPage(ctx, connector, Math.min(request.count, PAGE_PARTICLES), contentHash, request.dynamicRi),
    connectorStarts(ctx, connector, LISTED_POSITIONS).catch(undefinedOnFailure),
  ])
  return { ...request, title: titleOf({ kind: 'connector', name: connector }), run, starts }
}

async function nameOf(ctx: Context, address: Address): Promise<string | undefined> {
  const user = await getUser(ctx, { address }).catch(undefinedOn('not_found', 'artifacts_unavailable'))
  return user?.status === 'active' ? publicProfile(user.displayName, user.profile).name : undefined
}

/** A World that draws a run: beside another World, or on the run's page. */
export interface DrawingWorld {
  readonly slug: string
  readonly framed: FramedWorld
  readonly needs: WorldNeeds
}

/**
 * Undefined for an unknown World.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function drawingWorld(ctx: Context, slugOrId: string): Promise<DrawingWorld | undefined> {
  // No slug has an underscore.
  const lookup = slugOrId.includes('_') ? getWorld(ctx, slugOrId) : getWorldBySlug(ctx, slugOrId)
  const world = await lookup.catch(undefinedOn('not_found'))
  if (world === undefined) return undefined
  const { slug, acceptedFormatHashes, acceptedConnectorSets } = world.manifest
  return { slug, framed: framedWorld(ctx, world), needs: { acceptedFormatHashes, acceptedConnectorSets } }
}

/** A World that a page links to. Plain data, sent from server to browser. */
export interface LinkedWorld {
  readonly slug: string
  readonly name: string
  /** Whether it draws the connector on this page. */
  readonly isCurrent: boolean
  /** Whether its author chose it: its page is that of the piece. */
  readonly isOwn: boolean
}

/**
 * Worlds in which a connector can be seen: the one that draws it on this page, the one that its author chose, then those
 * that pages show first and that draw it.
 *
 * @param options.current The one that draws it; by default its author's.
 * @param options.piece As it is shown, where the page has read it.
 * @param options.among Those that pages show first, where the page has read them.
 * @throws What the database throws when it cannot be read.
 */
export async function worldsOf(
  ctx: Context,
  connector: string,
  {
    current: drawnBy,
    piece,
    among,
  }: {
    readonly current?: Pick<LinkedWorld, 'slug' | 'name'> | undefined
    readonly piece?: { readonly present: Presentation | undefined }
    readonly among?: readonly World[]
  } = {},
): Promise<readonly LinkedWorld[]> {
  const [format, first, own] = await Promise.all([
    connectorFormat(ctx, connector).catch(undefinedOn('not_found', 'artifacts_unavailable')),
    among ?? firstWorlds(ctx, { limit: OFFERED_WORLDS, featured: ctx.config.featured.worlds }),
    ownWorld(ctx, connector, piece),
  ])
  if (format === undefined) return []
  const drawing = first
    .map(({ manifest }) => manifest)
    .filter((manifest) => worldCompatibility(manifest, { name: connector, ...format }).fit !== 'none')
  const current = drawnBy ?? own
  const all = [...(current ? [current] : []), ...(own ? [own] : []), ...drawing]
  return [...new Map(all.map((each) => [each.slug, each])).values()].map(({ slug, name }) => ({
    ...{ slug, name },
    isCurrent: slug === current?.slug,
    isOwn: slug === own?.slug,
  }))
}

/** Manifest of the World that the author of a connector chose; undefined where there is none here. */
async function ownWorld(
  ctx: Context,
  connector: string,
  piece: { readonly present: Presentation | undefined } | undefined,
): Promise<Pick<LinkedWorld, 'slug' | 'name'> | undefined> {
  const { present } = piece ?? (await findPieces(ctx, [connector])).get(connector) ?? {}
  const words = present?.world
  const version = words && (await findVersion(ctx, words.bundle_hash, words.slug))
  return version === undefined || version.found === 'deleted' ? undefined : version.world.manifest
}

/** The view of an unpublished bundle. */
export interface PreviewView {
  readonly framed: FramedWorld
  readonly needs: WorldNeeds
  readonly candidates: readonly Candidate[]
  /** Undefined in an empty network. */
  readonly fed?: Feeding
}

/** Null when there is no such preview any more. @throws What the database throws when it cannot be read. */
export async function previewView(ctx: Context, id: string): Promise<PreviewView | null> {
  const preview = await getPreview(ctx, id)
  if (preview === undefined) return null
  const { acceptedFormatHashes, acceptedConnectorSets } = preview.manifest
  const nothing = { connector: undefined, count: undefined, dynamicRi: [], slots: [] }
  const { candidates, fed } = await feedsFor(ctx, preview, nothing)
  return {
    framed: framedWorld(ctx, preview),
    needs: { acceptedFormatHashes, acceptedConnectorSets },
    candidates,
    ...(fed && { fed }),
  }
}
