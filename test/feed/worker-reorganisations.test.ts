import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readFeedStatus } from '../../lib/feed/read-status.ts'
import { devAccount, type Network, signPrepared, startNetwork } from '../publication/network.ts'
import { until } from '../support/until.ts'
import { waitForProjection } from '../support/wait-for-projection.ts'
import { atHead, expectEqualToFreshIndex, outbox } from './projection.ts'

const owner = devAccount(0)

let network: Network

beforeEach(async () => {
  // `finalized` is 64 blocks behind the head: the deepest reorganisation that may happen ends exactly there.
  network = await startNetwork({ slotsInAnEpoch: 32 })
  network.startWorker()
})
afterEach(() => network?.close())

function mine(blocks: number) {
  return network.chain.rpc('anvil_mine', [`0x${blocks.toString(16)}`])
}
function reorg(depth: number) {
  return network.chain.rpc('anvil_reorg', [depth, []])
}
/** Anvil forgets the state of blocks far back, so most depths leave a chain that is shorter than the one before. */
async function replace(depth: number) {
  if (depth === 64 || depth % 9 === 0) return reorg(depth)
  await network.chain.rpc('anvil_rollback', [depth])
  return mine(1)
}
async function send(raw: Hex) {
  await network.chain.publicClient.waitForTransactionReceipt({
    hash: await network.chain.publicClient.sendRawTransaction({ serializedTransaction: raw }),
  })
}

async function signedPublication(name: string): Promise<Hex> {
  return signPrepared(await network.prepare('transformation', name, owner), owner)
}

/** To both sides of what is safe and of what is final, of both sorts of replacement, and some between. */
const DEPTHS = [1, 2, 3, 4, 9, 16, 27, 31, 32, 33, 45, 62, 63, 64]

test('reorgs of any depth to 64 roll back exactly the replaced blocks', async () => {
  await mine(70)
  await network.draftTransformation('lost', owner)
  await until('at head', () => atHead(network))
  const raw = await signedPublication('lost')
  const expected: string[] = []
  for (const depth of DEPTHS) {
    await send(raw)
    if (depth > 1) await mine(depth - 1)
    await until(`block of depth ${depth} read`, () => atHead(network))
    expect(await network.api.db.sql`select name from entities`).toEqual([{ name: 'lost' }])
    await replace(depth)
    await until(`depth ${depth} taken back`, () => atHead(network))
    expect(await network.api.db.sql`select 1 from entities`).toEqual([])
    expected.push('observed', ...(depth > 32 ? ['safe'] : []), 'removed')
  }
  const deltas = await outbox(network.api.db)
  expect(deltas.map(({ seq }) => seq)).toEqual(deltas.map((_, i) => i + 1))
  // A block that the worker saw only when it was deep enough was safe from the first.
  const withoutSafe = (statuses: readonly string[]) =>
    statuses
      .map((status) => (status === 'safe' ? 'observed' : status))
      .filter((s, i, all) => s !== all[i - 1])
  expect(withoutSafe(deltas.map(({ status }) => status))).toEqual(withoutSafe(expected))
  const { reorganisations } = await readFeedStatus(network.api.services)
  expect(reorganisations).toMatchObject({ count: DEPTHS.length, deepest: 64, last: { depth: 64 } })
  await send(raw)
  await waitForProjection(network.api.services, { kind: 'transformation', name: 'lost' })
  await expectEqualToFreshIndex(network)
})

test('an event mined again in the same reorg is the same item in its new block', async () => {
  await network.draftTransformation('moved', owner)
  const raw = await signedPublication('moved')
  await send(raw)
  await mine(2)
  await waitForProjection(network.api.services, { kind: 'transformation', name: 'moved' })
  await until('at head', () => atHead(network))
  const [before] = await network.api.db.sql`select feed_id, history_cursor, block_hash from feed_items`
  // Depth 3 takes the event's block; the last of the three new ones holds it again.
  await network.chain.rpc('anvil_reorg', [3, [[raw, 2]]])
  await until('at head', () => atHead(network))
  const [after] = await network.api.db
    .sql`select feed_id, history_cursor, block_hash, visible from feed_items`
  expect(after).toMatchObject({ feed_id: before?.feed_id, visible: true })
  expect(after?.block_hash).not.toBe(before?.block_hash)
  expect(String(after?.history_cursor) > String(before?.history_cursor)).toBe(true)
  expect((await outbox(network.api.db)).map(({ status }) => status)).toEqual([
    'observed',
    'removed',
    'observed',
  ])
  await expectEqualToFreshIndex(network)
})
