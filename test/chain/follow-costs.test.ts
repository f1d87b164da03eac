import { createPublicClient, custom } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chainSource, finalityDepths } from '#lib/core/indexer/chain-source.ts'
import { step } from '#lib/core/indexer/follow.ts'
import { paceOf } from '#lib/core/indexer/pace.ts'
import { openLogRange } from '#lib/core/indexer/request-size.ts'
import { loadState } from '#lib/core/indexer/state.ts'
import { openWriter, type Writer } from '#lib/core/indexer/writer.ts'
import { chainFacts } from '#lib/protocol/chains.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { REGISTRY } from '#test/suites/simulation/chain.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

// What following a quiet registry costs, by ten minutes of the worker's own step against a node that only counts.

const MINUTES = 10
/** Compute units of a call, by the table of a large provider. */
const UNITS: Readonly<Record<string, number>> = { eth_getBlockByNumber: 20, eth_getLogs: 60 }
const MOST_UNITS = 26_000_000
const FIRST_BLOCK = 1_000

let db: TestDatabase
let writer: Writer
beforeEach(async () => {
  db = await createTestDatabase()
  writer = openWriter(db.url)
  await writer.acquire()
})
afterEach(async () => {
  await writer.close()
  await db.close()
})

function hashOf(block: number): Hash {
  return `0x${block.toString(16).padStart(64, '0')}`
}
function hex(n: number) {
  return `0x${n.toString(16)}` as const
}

/** Calls by method in ten minutes at the default pace. */
async function tenMinutes(chainId: number): Promise<ReadonlyMap<string, number>> {
  const { blockTimeMs = 0 } = chainFacts(chainId)
  const pace = paceOf(chainId)
  const calls = new Map<string, number>()
  let nowMs = 0
  const head = () => FIRST_BLOCK + Math.floor(nowMs / blockTimeMs)
  const heights: Readonly<Record<string, () => number>> = {
    latest: head,
    safe: () => head() - 100,
    finalized: () => head() - 200,
  }
  const provider = {
    async request({ method, params = [] }: { method: string; params?: readonly unknown[] }) {
      calls.set(method, (calls.get(method) ?? 0) + 1)
      if (method === 'eth_getLogs') return []
      const block = String(params[0])
      const number = heights[block]?.() ?? Number(block)
      return {
        number: hex(number),
        hash: hashOf(number),
        parentHash: hashOf(number - 1),
        timestamp: hex(Math.floor((number * blockTimeMs) / 1000)),
      }
    },
  }
  const client = createPublicClient({ transport: custom(provider), cacheTime: 0 })
  const source = chainSource(
    { agreed: client, registry: REGISTRY, nodes: { tags: true, logResults: undefined } } as Parameters<
      typeof chainSource
    >[0],
    finalityDepths(chainId, { safeDepth: undefined, finalizedDepth: undefined }),
    { everyMs: pace.tagsMs, nowMs: () => nowMs },
  )
  const ctx = {
    source,
    writer,
    followed: { chainId, registry: REGISTRY, deploymentBlock: FIRST_BLOCK },
    nowMs: () => nowMs,
    pause: async () => {},
    onUnverified: () => {},
    range: openLogRange(),
  }
  let state = await writer.transaction((sql) => loadState(sql, ctx.followed, nowMs))
  // It has caught up before it is measured.
  for (let kind = ''; kind !== 'idle'; ) {
    const outcome = await step(ctx, state)
    kind = outcome.kind
    state = outcome.state
  }
  calls.clear()
  while (nowMs < MINUTES * 60_000) {
    nowMs += pace.pollMs
    for (let kind = 'more'; kind === 'more'; ) {
      const outcome = await step(ctx, state)
      kind = outcome.kind
      state = outcome.state
    }
    expect(state.processedBlock).toBe(head())
  }
  return calls
}

test.each([1, 8453, 42_161])('following chain %i stays within the plan', async (chainId) => {
  const calls = await tenMinutes(chainId)
  const units = [...calls].reduce((sum, [method, count]) => sum + count * (UNITS[method] ?? Number.NaN), 0)
  expect((units * (30 * 24 * 60)) / MINUTES).toBeLessThanOrEqual(MOST_UNITS)
})
