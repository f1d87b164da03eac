import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { step } from '#lib/core/indexer/follow.ts'
import { type FeedState, type FollowContext, loadState, type StepOutcome } from '#lib/core/indexer/state.ts'
import { openWriter, type Writer } from '#lib/core/indexer/writer.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { Chain, type View } from './chain.ts'
import { connectNode, healthy } from './node-connection.ts'
import { differences } from './oracle.ts'
import { Random } from './random.ts'
import { followContext } from './worker-process.ts'

// What random histories found, and find too seldom to rely on: behind one address are two nodes, of which one is late.

let db: TestDatabase
let writer: Writer
let chain: Chain
let ctx: FollowContext
let state: FeedState
/** The node that answers each request; the last one answers all that follow. */
let nodes: View[]
/** The view to which the node moves on while it answers a batch, and after which fraction of it. */
let change: { readonly to: View; readonly after: number } | undefined

beforeEach(async () => {
  db = await createTestDatabase()
  writer = openWriter(db.url, 'two-nodes')
  await writer.acquire()
  chain = new Chain(new Random(7))
  const habits = {
    logRange: 10_000,
    tags: true,
    tagsEvery: 0,
    remembersBranches: true,
    emptyForUnknown: true,
  } as const
  const next = () => (nodes.length > 1 ? nodes.shift() : nodes[0]) as View
  change = undefined
  const node = connectNode(chain, habits, async (what, requests) => {
    const orders = await healthy(next)(what, requests)
    return orders.map((order) => (change ? { ...order, other: change.to, moves: change.after } : order))
  })
  ctx = followContext({ nowMs: () => 1, onUnverified: () => {}, habits }, node, writer)
  state = await writer.transaction((sql) => loadState(sql, ctx.followed, 1))
})
afterEach(async () => {
  await writer.close()
  await db.close()
})

function mineTo(height: number) {
  while (chain.head.number < height) chain.mine()
}

async function one(...views: View[]): Promise<StepOutcome['kind']> {
  nodes = views
  const outcome = await step(ctx, state).catch((error: { code: string }) => {
    expect(error.code).toBe('chain_unavailable')
    return undefined
  })
  state = outcome?.state ?? state
  return outcome?.kind ?? 'idle'
}

async function all(view: View): Promise<void> {
  for (let kind = ''; kind !== 'idle'; ) {
    kind = await one(view)
    if (kind === 'frozen') throw new Error('it is frozen')
  }
}

/** The tables are those of the chain once every node shows it. */
async function expectChain() {
  await all(chain.view())
  await writer.close()
  expect(await differences(db, chain)).toEqual([])
}

describe('a late node, on a branch that has died since,', () => {
  let late: View
  beforeEach(() => {
    mineTo(120)
    late = chain.view()
    chain.replace(63)
  })

  test('does not determine finality', async () => {
    mineTo(184)
    const now = chain.view()
    await one(now)
    // The head is of now; blocks and events of the range, which is final now, come from the dead branch.
    await one(now, late)
    await expectChain()
  })

  test('is not finalized by the tags of the other node', async () => {
    await all(chain.viewOf(late.head.path[110]!))
    mineTo(170)
    await one(chain.view(), late)
    await expectChain()
  })
})

test('a node that changes its branch between its head and its tags finalizes nothing of the other branch', async () => {
  mineTo(120)
  const late = chain.view()
  await all(late)
  chain.replace(63)
  mineTo(180)
  change = { to: chain.view(), after: 0.3 }
  await one(late)
  change = undefined
  await expectChain()
})

test('a node without a block yet does not make it empty', async () => {
  mineTo(20)
  while (chain.mine().logs.length === 0) await all(chain.view())
  const late = chain.viewOf(chain.head.path.at(-2)!)
  await all(late)
  await one(chain.view(), late)
  await expectChain()
})

test('a node without a transaction yet does not drop its metadata', async () => {
  mineTo(20)
  while (chain.mine().logs.length === 0) await all(chain.view())
  const late = chain.viewOf(chain.head.path.at(-2)!)
  await all(late)
  await one(chain.view(), chain.view(), late)
  await expectChain()
})

test('a node that changes its branch while it answers does not mix the events of both', async () => {
  mineTo(20)
  await all(chain.view())
  for (let round = 0; round < 40; round++) {
    for (let i = 0; i < 3; i++) chain.mine()
    const before = chain.view()
    chain.replace(3)
    const now = chain.view()
    // After the events, before the last block is read again.
    change = { to: now, after: 0.75 }
    // The head is as long on the old branch.
    await one(round % 2 === 0 ? before : chain.viewOf(now.head.path.at(-2)!), before)
    change = undefined
    await all(now)
  }
  await expectChain()
})
