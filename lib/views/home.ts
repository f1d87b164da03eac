import type { Context } from '#lib/core/context/context.ts'
import { findPieces } from '#lib/core/entities/author-words.ts'
import {
  earliestConnectors,
  firstConnectors,
  type OverviewConnector,
} from '#lib/core/entities/first-connectors.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { firstWorlds } from '#lib/core/worlds/list-worlds.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import { undefinedOnFailure } from './expected-failures.ts'
import { type ShownTile, tilesOf } from './gallery.ts'
import { type LiveParts, liveParts } from './live-parts.ts'
import { runForPage } from './run-connector.ts'
import { firstTiles, type WallTile } from './wall.ts'
import { type LinkedWorld, worldsOf } from './world.ts'

const PIECES = 6
const WORLDS = 4
/** Steps of the picture at the top. */
const STILL_STEPS = 64

export interface HomeView {
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
        /** Data for its player; undefined where that reads it. */
        readonly parts: LiveParts | undefined
        /** Worlds in which it can be seen. */
        readonly worlds: readonly LinkedWorld[]
        /** Plotted until the player is there, where no World draws it. */
        readonly streams: readonly { readonly path: string; readonly data: readonly number[] }[]
      }
    | undefined
  /** The first of the wall, of different accounts where there are. */
  readonly pieces: readonly WallTile[]
  readonly worlds: readonly ShownTile[]
}

/**
 * The view of the first page. A failed run is part of it, not an error.
 *
 * @throws What the database throws when the network cannot be read.
 */
export async function homeView(ctx: Context): Promise<HomeView> {
  const featuredWorlds = ctx.config.featured.worlds
  const [first, earliest, worlds, pieces] = await Promise.all([
    firstConnectors(ctx),
    earliestConnectors(ctx),
    firstWorlds(ctx, { limit: WORLDS, featured: featuredWorlds }),
    firstTiles(ctx, PIECES),
  ])
  const featured = heroConnector(first, earliest)
  const [still, names, words] = await Promise.all([
    featured && runForPage(ctx, featured.name, STILL_STEPS, featured.contentHash),
    namesOf(ctx, featured === undefined ? [] : [featured.owner]),
    findPieces(ctx, featured === undefined ? [] : [featured.name]),
  ])
  const piece = featured && words.get(featured.name)
  // Only a World that the operator chose: any account can publish another.
  const hasWorld = piece?.present?.world !== undefined
  const world = worlds.find(
    ({ manifest: { slug, surfaces } }) =>
      !hasWorld && featuredWorlds.includes(slug) && surfaces.includes('studio-plugin'),
  )
  const [tiles, parts, seenAs] = await Promise.all([
    tilesOf(ctx, worlds),
    // The player reads what cannot be read now.
    featured && liveParts(ctx, featured.name, piece?.present, world?.id).catch(undefinedOnFailure),
    featured &&
      worldsOf(ctx, featured.name, {
        current: world?.manifest,
        piece: { present: piece?.present },
        among: worlds,
      }),
  ])
  const drawing = parts?.world?.tile ?? tiles.find(({ id }) => id === world?.id)
  return {
    hero:
      featured !== undefined && still?.state === 'particles'
        ? {
            connector: featured.name,
            title: piece?.title,
            present: piece?.present,
            owner: featured.owner,
            ownerName: names.get(featured.owner),
            world: world?.manifest.slug,
            still: drawing?.framed.previewUrl,
            // The version that its author chose may be gone.
            worlds: (seenAs ?? []).map((each) => ({ ...each, isCurrent: each.slug === drawing?.slug })),
            parts,
            streams: still.streams.slice(0, HERO_PATHS).map(({ path, data }) => ({ path, data })),
          }
        : undefined,
    pieces,
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
