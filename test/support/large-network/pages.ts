import type { Context } from '#lib/core/context/context.ts'
import { MemoryBudget } from '#lib/platform/limits/memory-budget.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { connectorView } from '#lib/views/entity.ts'
import { feedView } from '#lib/views/feed.ts'
import { readFeedQuery } from '#lib/views/feed-query.ts'
import { homeView } from '#lib/views/home.ts'
import { pictureOf } from '#lib/views/pictures.ts'
import { readWallQuery, wallView } from '#lib/views/wall.ts'
import { worldsOf } from '#lib/views/world.ts'
import { type ListRead, LOOKED_AT_FOR_FIRST } from './lists.ts'
import type { Marks } from './marks.ts'

/** Reads of the database by a page, or by the picture of one tile on it. */
export interface PageRead {
  readonly name: string
  readonly read: (ctx: Context, marks: Marks) => Promise<unknown>
  /** Statements that it may send, the first time. */
  readonly statements: number
  readonly looksAt?: ListRead['looksAt']
}

/** The pages with most pictures. A run is given, as its numbers come from no table. */
export const PAGE_READS: readonly PageRead[] = [
  {
    name: 'home',
    statements: 31,
    looksAt: LOOKED_AT_FOR_FIRST,
    read: (ctx) => homeView(withRuns(ctx)),
  },
  {
    name: 'Discover',
    statements: 8,
    looksAt: { rows: 600, because: 'of each of eleven turns a page is read, by an index' },
    read: (ctx) => wallView(ctx, readWallQuery({}), undefined),
  },
  {
    name: 'connector',
    statements: 31,
    read: (ctx, { connector }) =>
      Promise.all([connectorView(withRuns(ctx), connector), worldsOf(ctx, connector)]),
  },
  { name: 'feed', statements: 6, read: (ctx) => feedView(ctx, readFeedQuery({})) },
  {
    name: 'tile of a connector',
    statements: 4,
    read: (ctx, { connector }) => pictureOf(withRuns(ctx), 'connector', connector, 'tile'),
  },
]

const STEPS = 64

function withRuns(ctx: Context): Context {
  const particles = [{ path: '0', data: new Uint32Array(STEPS) }]
  return {
    ...ctx,
    signal: AbortSignal.timeout(60_000),
    memory: new MemoryBudget(new UsageLedger(), 2 ** 30),
    simulator: { simulate: () => Promise.resolve({ ok: true, paths: 1, particles }) },
  } as unknown as Context
}
