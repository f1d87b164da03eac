import type { Context } from '../context/context.ts'
import {
  type NetworkOverview,
  networkOverview,
  type OverviewConnector,
} from '../entities/network-overview.ts'
import { firstWorlds } from '../worlds/list-worlds.ts'
import { type ShownTile, tilesOf } from './gallery.ts'
import { PAGE_PARTICLES, type Run, WOVEN_STEPS, type Woven } from './run.ts'
import { runForPage } from './run-connector.ts'

/** Worlds shown below the one on top. */
const WORLDS = 4

export interface HomeQuery {
  /** Undefined for the default connector. */
  readonly connector: string | undefined
  /** 1..65,536. */
  readonly count: number
}

export interface HomeView {
  readonly overview: NetworkOverview
  /** The connector whose particles are shown; undefined in an empty network. */
  readonly shown: { readonly connector: string; readonly count: number; readonly run: Run } | undefined
  /** The picture at the top; undefined when no connector generates. */
  readonly woven: Woven | undefined
  /** Id of the World that replaces the picture. */
  readonly worldId: string | undefined
  readonly worlds: readonly ShownTile[]
}

/**
 * The view of the first page. A failed run is part of it, not an error.
 *
 * @throws What the database throws when the network cannot be read.
 */
export async function homeView(ctx: Context, query: HomeQuery): Promise<HomeView> {
  const [overview, [first, ...others]] = await Promise.all([
    networkOverview(ctx),
    firstWorlds(ctx, { limit: 1 + WORLDS }),
  ])
  const featured = featuredConnector(overview.connectors)
  const connector = query.connector ?? featured?.name
  const count = Math.min(query.count, PAGE_PARTICLES)
  const run = (name: string, particles: number) =>
    runForPage(ctx, name, particles, overview.connectors.find((each) => each.name === name)?.contentHash)
  const [shown, weave] = await Promise.all([
    connector === undefined ? undefined : run(connector, count),
    featured === undefined ? undefined : run(featured.name, Math.max(count, WOVEN_STEPS)),
  ])
  return {
    overview,
    shown: connector === undefined || shown === undefined ? undefined : { connector, count, run: shown },
    woven:
      featured !== undefined && weave?.state === 'particles'
        ? {
            connector: featured.name,
            streams: weave.streams.slice(0, 5).map(({ data }) => data.slice(0, WOVEN_STEPS)),
          }
        : undefined,
    worldId: first?.id,
    worlds: (await tilesOf(ctx, others)).map(shownOf),
  }
}

/** A tile that links to the World's page. */
function shownOf({ id, slug, owner, ownerName, summary, framed }: ShownTile): ShownTile {
  const { name, permissions, previewUrl } = framed
  return { id, slug, owner, ownerName, summary, framed: { name, permissions, previewUrl } }
}

/** The newest connector with the most paths, at most five, and without a condition. */
export function featuredConnector(newestFirst: readonly OverviewConnector[]): OverviewConnector | undefined {
  let best: OverviewConnector | undefined
  for (const each of newestFirst) {
    const paths = each.shape?.paths ?? 0
    if (each.shape?.conditionName !== '' || paths > 5) continue
    if (best === undefined || paths > (best.shape?.paths ?? 0)) best = each
  }
  return best ?? newestFirst[0]
}

const MAX_LISTED = 12
const MAX_SCALARS = 3

export type NetworkCounts = NetworkOverview['counts']

/** The entities that the first page lists. Plain data, sent from server to browser. */
export interface Held
  extends Pick<NetworkOverview, 'counts' | 'transformations' | 'conditions' | 'accounts'> {
  readonly formats: readonly (Omit<NetworkOverview['formats'][number], 'scalarsCount'> & {
    /** Scalars besides those named. */
    readonly more: number
  })[]
}

/** Cuts an overview to what is shown: a page sends all of its data. */
export function heldOf({ counts, transformations, conditions, formats, accounts }: NetworkOverview): Held {
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
    accounts: accounts.slice(0, MAX_LISTED).map(({ address, published }) => ({ address, published })),
  }
}
