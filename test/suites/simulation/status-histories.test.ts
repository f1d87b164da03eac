import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { step } from '#lib/core/indexer/follow.ts'
import { type FeedState, loadState } from '#lib/core/indexer/state.ts'
import { openWriter, type Writer } from '#lib/core/indexer/writer.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { drawn, SEED } from '#test/support/slice.ts'
import { illegalChanges, illegalHistories, readDeltas, startAudit } from './audit.ts'
import { Chain, type View } from './chain.ts'
import { connectNode, healthy } from './node-connection.ts'
import { emptyDatabase } from './oracle.ts'
import { Random } from './random.ts'
import { followContext } from './worker-process.ts'

const RUNS = drawn(10)

/** Acts of a node between two polls; heights are its `safe` and `finalized` blocks, true or not. */
type Happening =
  | { readonly what: 'mine'; readonly blocks: number }
  | { readonly what: 'reorganise'; readonly depth: number }
  | { readonly what: 'show the past'; readonly versions: number }
  | { readonly what: 'settle'; readonly safeDepth: number; readonly finalizedDepth: number }

const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('reorganise' as const),
      depth: fc.integer({ min: 1, max: 70 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('show the past' as const),
      versions: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('settle' as const),
      safeDepth: fc.integer({ min: 0, max: 30 }),
      finalizedDepth: fc.integer({ min: 0, max: 60 }),
    }),
  },
)

let db: TestDatabase
let writer: Writer
beforeAll(async () => {
  db = await createTestDatabase()
  await startAudit(db.sql)
  writer = openWriter(db.url, 'histories')
  await writer.acquire()
})
afterAll(async () => {
  await writer.close()
  await db.close()
})

test('an item only advances, or is removed and starts again; a final one never changes', async () => {
  let moves = 0
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 1_000_000 }),
    fc.array(happening, { minLength: 4, maxLength: 14 }),
    async (seed, happenings) => {
      await emptyDatabase(db)
      await live(new Chain(new Random(seed)), happenings)
      const deltas = await readDeltas(db.sql)
      moves += deltas.length
      expect(await illegalChanges(db.sql)).toEqual([])
      expect(illegalHistories(deltas)).toEqual([])
      const items = await db.sql<
        { feed_id: string; status: string }[]
      >`select feed_id, status from feed_items`
      const last = new Map(deltas.map(({ feed_id, status }) => [feed_id, status]))
      expect(new Map(items.map(({ feed_id, status }) => [feed_id, status]))).toEqual(last)
    },
  )
  await fc.assert(property, { numRuns: RUNS, seed: SEED })
  // Histories in which nothing happens would prove nothing.
  expect(moves).toBeGreaterThan(RUNS * 10)
})

/** Runs the worker after every event, until it has nothing more to do. */
async function live(chain: Chain, happenings: readonly Happening[]): Promise<void> {
  let lines = { safeDepth: 8, finalizedDepth: 16 }
  let view: View = chain.view()
  const habits = {
    logRange: 100,
    tags: true,
    tagsEvery: 0,
    remembersBranches: false,
    emptyForUnknown: true,
  } as const
  const node = connectNode(
    chain,
    habits,
    healthy(() => view),
  )
  const ctx = followContext({ nowMs: () => 1, onUnverified: () => {}, habits }, node, writer)
  let state: FeedState = await writer.transaction((sql) => loadState(sql, ctx.followed, 1))
  const drawn = ({ head }: View): View => {
    const below = (depth: number) => Math.max(0, head.number - depth)
    return { head, safe: below(lines.safeDepth), finalized: below(lines.finalizedDepth) }
  }
  for (const happening of happenings) {
    if (happening.what === 'settle') lines = happening
    if (happening.what === 'mine') for (let i = 0; i < happening.blocks; i++) chain.mine()
    if (happening.what === 'reorganise') chain.replace(Math.min(happening.depth, chain.head.number - 1))
    const past = happening.what === 'show the past' ? chain.past.at(-happening.versions) : undefined
    view = drawn(past ?? chain.view())
    for (let i = 0, more = true; more && i < 50; i++) {
      const outcome = await step(ctx, state)
      state = outcome.state
      more = outcome.kind === 'more' || outcome.kind === 'rolled back'
    }
  }
}
