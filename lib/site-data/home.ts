import type { Context } from '../context.ts'
import {
  type NetworkOverview,
  networkOverview,
  type OverviewConnector,
} from '../registry/network-overview.ts'
import { firstWorlds } from '../worlds/first-worlds.ts'
import { type ShownTile, tilesOf } from './gallery.ts'
import { PAGE_PARTICLES, type Run } from './run.ts'
import { runForPage } from './run-connector.ts'
import { WOVEN_STEPS, type Woven } from './woven.ts'

/** Worlds shown below the one on top. */
const WORLDS = 4

export interface HomeQuery {
  /** As typed by a person; absent for a connector of the page's own choice. */
  readonly connector: string | undefined
  /** 1..65,536. */
  readonly count: number
}

export interface HomeView {
  readonly overview: NetworkOverview
  /** The connector whose particles are shown; absent in an empty network when none was asked for. */
  readonly shown: { readonly connector: string; readonly count: number; readonly run: Run } | undefined
  /** The connector of the picture on top; absent when there is none that generates. */
  readonly woven: Woven | undefined
  /** Id of the World that takes over from that picture. */
  readonly worldId: string | undefined
  readonly worlds: readonly ShownTile[]
}

/**
 * Everything the first page shows. A run that fails is part of the view, not an error.
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

/** A tile without what it takes to open it in place: here it leads to its page. */
function shownOf({ id, slug, owner, ownerName, summary, bundleHash, framed }: ShownTile): ShownTile {
  const { name, permissions, previewUrl } = framed
  return { id, slug, owner, ownerName, summary, bundleHash, framed: { name, permissions, previewUrl } }
}

/** The newest connector of the most paths that still make one picture, among those that nothing holds back. */
export function featuredConnector(newestFirst: readonly OverviewConnector[]): OverviewConnector | undefined {
  let best: OverviewConnector | undefined
  for (const each of newestFirst) {
    const paths = each.shape?.paths ?? 0
    if (each.shape?.conditionName !== '' || paths > 5) continue
    if (best === undefined || paths > (best.shape?.paths ?? 0)) best = each
  }
  return best ?? newestFirst[0]
}
