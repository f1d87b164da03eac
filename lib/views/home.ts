import type { Context } from '#lib/core/context/context.ts'
import { findPieces } from '#lib/core/entities/author-words.ts'
import {
  earliestConnectors,
  type NetworkOverview,
  networkOverview,
  type OverviewConnector,
} from '#lib/core/entities/network-overview.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { firstWorlds } from '#lib/core/worlds/list-worlds.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import { type ShownTile, tilesOf } from './gallery.ts'
import { PAGE_PARTICLES, type Run } from './run.ts'
import { runForPage } from './run-connector.ts'

const WORLDS = 4
/** Steps of the picture at the top. */
const STILL_STEPS = 64

export interface HomeQuery {
  /** Undefined for the default connector. */
  readonly connector: string | undefined
  /** 1..65,536. */
  readonly count: number
}

export interface HomeView {
  readonly overview: NetworkOverview
  /** Display names of its first accounts. */
  readonly names: ReadonlyMap<Address, string>
  /** The connector whose particles are shown; undefined in an empty network. */
  readonly shown: { readonly connector: string; readonly count: number; readonly run: Run } | undefined
  /** The connector at the top, to play; undefined when none generates. */
  readonly hero:
    | {
        readonly connector: string
        /** Undefined where its author gave none. */
        readonly title: string | undefined
        /** Undefined while it is guessed. */
        readonly present: Presentation | undefined
        readonly owner: Address
        readonly ownerName: string | undefined
        /** Slug of the World that draws it in place of its own; undefined for that or plots. */
        readonly world: string | undefined
        /** Address of the World's picture, until it runs. */
        readonly still: string | undefined
        /** Plots of it until the player is there, where no World draws it. */
        readonly streams: readonly { readonly path: string; readonly data: readonly number[] }[]
      }
    | undefined
  readonly worlds: readonly ShownTile[]
}

/**
 * The view of the first page. A failed run is part of it, not an error.
 *
 * @throws What the database throws when the network cannot be read.
 */
export async function homeView(ctx: Context, query: HomeQuery): Promise<HomeView> {
  const { featured: chosen } = ctx.config
  const [overview, earliest, worlds] = await Promise.all([
    networkOverview(ctx),
    earliestConnectors(ctx),
    firstWorlds(ctx, { limit: WORLDS, featured: chosen }),
  ])
  const featured = heroConnector(overview.connectors, earliest)
  const connector = query.connector ?? featured?.name
  const count = Math.min(query.count, PAGE_PARTICLES)
  const run = (name: string, particles: number) =>
    runForPage(ctx, name, particles, overview.connectors.find((each) => each.name === name)?.contentHash)
  const [shown, still, names, pieces] = await Promise.all([
    connector === undefined ? undefined : run(connector, count),
    featured === undefined ? undefined : run(featured.name, STILL_STEPS),
    namesOf(ctx, [
      ...(featured === undefined ? [] : [featured.owner]),
      ...overview.accounts.slice(0, MAX_LISTED).map(({ address }) => address),
    ]),
    findPieces(ctx, featured === undefined ? [] : [featured.name]),
  ])
  const piece = featured && pieces.get(featured.name)
  // Only a World that the operator chose: any account can publish another.
  const hasWorld = piece?.present?.world !== undefined
  const world = worlds.find(
    ({ manifest: { slug, surfaces } }) =>
      !hasWorld && chosen.includes(slug) && surfaces.includes('studio-plugin'),
  )
  const tiles = await tilesOf(ctx, worlds)
  return {
    overview,
    names,
    shown: connector === undefined || shown === undefined ? undefined : { connector, count, run: shown },
    hero:
      featured !== undefined && still?.state === 'particles'
        ? {
            connector: featured.name,
            title: piece?.title,
            present: piece?.present,
            owner: featured.owner,
            ownerName: names.get(featured.owner),
            world: world?.manifest.slug,
            still: tiles.find(({ id }) => id === world?.id)?.framed.previewUrl,
            streams: still.streams.slice(0, HERO_PATHS).map(({ path, data }) => ({ path, data })),
          }
        : undefined,
    worlds: tiles.map(shownOf),
  }
}

/** A tile that links to the World's page. */
function shownOf({ id, slug, owner, ownerName, summary, framed }: ShownTile): ShownTile {
  const { name, permissions, previewUrl } = framed
  return { id, slug, owner, ownerName, summary, framed: { name, permissions, previewUrl } }
}

/** A picture and a sound of its own: up to so many paths, and no condition that could hold it back. */
const HERO_PATHS = 5

/**
 * The connector on top of the first page: the first that was chosen or is used by several accounts; without one, of the
 * connectors published first, one with the most paths. What is published later does not change it.
 */
export function heroConnector(
  first: readonly OverviewConnector[],
  earliest: readonly OverviewConnector[],
): OverviewConnector | undefined {
  const suits = ({ shape }: OverviewConnector) => shape?.conditionName === '' && shape.paths <= HERO_PATHS
  const preferred = first.find((each) => each.because !== 'new' && suits(each))
  if (preferred !== undefined) return preferred
  const [best] = earliest.filter(suits).toSorted((a, b) => (b.shape?.paths ?? 0) - (a.shape?.paths ?? 0))
  return best ?? earliest[0]
}

const MAX_LISTED = 12
const MAX_SCALARS = 3

export type NetworkCounts = NetworkOverview['counts']

/** The entities that the first page lists. Plain data, sent from server to browser. */
export interface Held extends Pick<NetworkOverview, 'counts' | 'transformations' | 'conditions'> {
  readonly accounts: readonly (NetworkOverview['accounts'][number] & { readonly name: string | undefined })[]
  readonly formats: readonly (Omit<NetworkOverview['formats'][number], 'scalarsCount'> & {
    /** Scalars besides those named. */
    readonly more: number
  })[]
}

/** Cuts an overview to what is shown: a page sends all of its data. */
export function heldOf(
  { counts, transformations, conditions, formats, accounts }: NetworkOverview,
  names: ReadonlyMap<Address, string>,
): Held {
  return {
    counts,
    transformations: transformations.slice(0, MAX_LISTED),
    conditions: conditions.slice(0, MAX_LISTED),
    formats: formats.slice(0, MAX_LISTED).map(({ formatHash, scalars, scalarsCount, connectors }) => ({
      formatHash,
      connectors,
      scalars: scalars.slice(0, MAX_SCALARS),
      more: Math.max(0, scalarsCount - MAX_SCALARS),
    })),
    accounts: accounts
      .slice(0, MAX_LISTED)
      .map(({ address, published }) => ({ address, published, name: names.get(address) })),
  }
}
