import type { Context } from '../context.ts'
import type { PositionedRunningInstance } from '../domain/definition.ts'
import type { Address, Hash } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import type { StartLine } from '../domain/start-lines.ts'
import { bareHash, byFit, type Compatibility, worldCompatibility } from '../domain/world-compatibility.ts'
import { countRange, usualCount, within } from '../domain/world-limits.ts'
import { primaryOf, type SlotChoice } from '../domain/world-slots.ts'
import { connectorFormat } from '../registry/connector-format.ts'
import { connectorStarts } from '../registry/connector-starts.ts'
import { connectorsFor, type FoundConnector } from '../registry/connectors-for.ts'
import { findEntityPublication } from '../registry/find-publication.ts'
import { getUser } from '../social/get-user.ts'
import { publicProfile } from '../social/public-profile.ts'
import type { FramedWorld } from '../ui/world/framed-world.ts'
import { getWorldBySlug } from '../worlds/get-world.ts'
import { listFiles } from '../worlds/list-files.ts'
import type { World } from '../worlds/world.ts'
import { PAGE_PARTICLES, type Run } from './run.ts'
import { runForPage } from './run-connector.ts'

/** Connectors of each sort that a page offers. */
const OFFERED = 24
/** Connectors that a page tries before it shows one that does not generate. */
const TRIED = 5
/** Positions that a page lists. */
const LISTED_POSITIONS = 200

/** What the address of a World's page asks for; absent parts are the page's to choose. */
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
  readonly owner: Address
  readonly compatibility: Compatibility
}

/** What feeds a World to begin with. */
export interface Feeding {
  readonly connector: string
  readonly count: number
  readonly dynamicRi: readonly PositionedRunningInstance[]
  readonly compatibility: Compatibility
  /** Names of the World's slots whose values it carries. */
  readonly carries: readonly string[]
  /** What was chosen to feed them with. */
  readonly slots: readonly SlotChoice[]
  /** Undefined while the parts of the connector are not here. */
  readonly starts: { readonly lines: readonly StartLine[]; readonly more: boolean } | undefined
  /** As much of it as a page carries. */
  readonly run: Run
}

export interface WorldView {
  readonly world: World
  readonly framed: FramedWorld
  /** What its owner is called; undefined for who has given no name. */
  readonly ownerName: string | undefined
  readonly size: { readonly files: number; readonly bytes: number }
  /** Best first. */
  readonly candidates: readonly Candidate[]
  /** Undefined in an empty network. */
  readonly fed: Feeding | undefined
  /** The connector of the address, where there is none of that name. */
  readonly unknown: string | undefined
  readonly origin: string
  readonly nowMs: number
}

/**
 * A World for its page, fed with the connector that the address names, or with the one that suits it best and
 * generates; undefined when there is no such World.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function worldView(
  ctx: Context,
  slug: string,
  query: WorldQuery,
): Promise<WorldView | undefined> {
  const world = await getWorldBySlug(ctx, slug).catch(notFound)
  if (world === undefined) return undefined
  const [feeds, files, ownerName] = await Promise.all([
    feedsFor(ctx, world, query),
    listFiles(ctx, world.id),
    nameOf(ctx, world.owner),
  ])
  return {
    world,
    framed: framedWorld(ctx, world),
    ownerName,
    size: { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) },
    ...feeds,
    origin: ctx.config.siteOrigin,
    nowMs: ctx.clock().getTime(),
  }
}

/** What it takes to show a World in a frame of this site. */
export function framedWorld(
  ctx: Pick<Context, 'config'>,
  world: Pick<World, 'id' | 'manifest' | 'bundleHash'>,
): FramedWorld {
  const { manifest } = world
  const file = (path: string) =>
    `${ctx.config.assetOrigin ?? ''}/services/world-assets/${world.id}/${path.split('/').map(encodeURIComponent).join('/')}`
  return {
    name: manifest.name,
    entryUrl: file(manifest.entry),
    permissions: manifest.permissions,
    autonomous: manifest.acceptedConnectorSets.length === 0 && manifest.acceptedFormatHashes.length === 0,
    ...(manifest.valueLimits && { valueLimits: manifest.valueLimits as FramedWorld['valueLimits'] }),
    ...(manifest.preview !== undefined && {
      previewUrl: `${file(manifest.preview)}?v=${world.bundleHash.slice(0, 16)}`,
    }),
  }
}

type Offered = FoundConnector & { readonly compatibility: Compatibility }

/**
 * What there is to feed a World with.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function feedsFor(
  ctx: Context,
  world: Pick<World, 'manifest'>,
  query: WorldQuery,
): Promise<Pick<WorldView, 'candidates' | 'fed' | 'unknown'>> {
  const offered = await offeredConnectors(ctx, world)
  return {
    candidates: offered.map(({ name, owner, compatibility }) => ({ name, owner, compatibility })),
    ...(await feeding(ctx, world, offered, query)),
  }
}

async function offeredConnectors(
  ctx: Context,
  { manifest }: Pick<World, 'manifest'>,
): Promise<readonly Offered[]> {
  const sets = manifest.acceptedConnectorSets
  const names = [...new Set(sets.flatMap(({ connectors }) => connectors))]
  const formatHashes = manifest.acceptedFormatHashes.map((hash): Hash => `0x${bareHash(hash)}`)
  const found = await connectorsFor(ctx, { names, formatHashes, carrying: names }, OFFERED)
  const anything = names.length === 0 && formatHashes.length === 0
  const offered = byFit(found.map((each) => ({ ...each, compatibility: worldCompatibility(manifest, each) })))
  // With nothing to go by, the connectors that say most come first, as long as that is still one picture.
  return anything ? offered.toSorted((a, b) => richness(b) - richness(a)) : offered
}

function richness({ scalars }: FoundConnector): number {
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
  const asked = query.connector
  const format = asked === undefined ? undefined : await connectorFormat(ctx, asked).catch(notFound)
  if (asked !== undefined && format !== undefined) {
    const publication = await findEntityPublication(ctx, 'connector', asked)
    const compatibility = worldCompatibility(world.manifest, { name: asked, ...format })
    const { dynamicRi, slots } = query
    const { carries } = primaryOf({ name: asked, ...format }, world.manifest)
    const link = { connector: asked, count, dynamicRi, compatibility, carries, slots }
    return { fed: await feed(ctx, link, publication?.contentHash), unknown: undefined }
  }
  let fed: Feeding | undefined
  for (const { contentHash, compatibility, ...found } of offered.slice(0, TRIED)) {
    const { name: connector, carries } = primaryOf(found, world.manifest)
    const link = { connector, count, dynamicRi: [], compatibility, carries, slots: query.slots }
    const one = await feed(ctx, link, contentHash)
    fed ??= one
    if (one.run.state !== 'particles') continue
    fed = one
    break
  }
  return { fed, unknown: asked }
}

async function feed(
  ctx: Context,
  asked: Omit<Feeding, 'run' | 'starts'>,
  contentHash: string | undefined,
): Promise<Feeding> {
  const [run, starts] = await Promise.all([
    runForPage(ctx, asked.connector, Math.min(asked.count, PAGE_PARTICLES), contentHash, asked.dynamicRi),
    connectorStarts(ctx, asked.connector, LISTED_POSITIONS).catch(noFailure),
  ])
  return { ...asked, run, starts }
}

async function nameOf(ctx: Context, address: Address): Promise<string | undefined> {
  const user = await getUser(ctx, { address }).catch(notFound)
  return user?.status === 'active' ? publicProfile(user.displayName, user.profile).name : undefined
}

function notFound(error: unknown): undefined {
  if (error instanceof Failure && ['not_found', 'artifacts_unavailable'].includes(error.code))
    return undefined
  throw error
}

/** What is not known is left out of a page; what is broken is not. */
function noFailure(error: unknown): undefined {
  if (error instanceof Failure) return undefined
  throw error
}
