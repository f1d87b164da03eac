import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { readFeedStatus } from '#lib/core/feed/read-status.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { PATIENCE_MS, until } from '#test/support/until.ts'
import { type Network, startNetwork } from '../publication/network.ts'
import { atHead } from './projection.ts'

let chain: TestChain
let wire: TcpProxy
let network: Network

beforeEach(async () => {
  chain = await testChain()
  wire = await startTcpProxy(Number(new URL(chain.url).port))
  network = await startNetwork({ chain, config: { chainRpcUrl: wire.through(chain.url) } })
})
afterEach(async () => {
  await network.close()
  await wire.close()
  await chain.close()
})

function status(parts: Partial<Services> = {}) {
  return readFeedStatus({ ...network.api.services, ...parts })
}
async function codes(parts: Partial<Services> = {}) {
  return (await status(parts)).degraded.map(({ code }) => code)
}

test('a database without a worker reports what to start', async () => {
  expect(await status()).toMatchObject({ processed: null, lagBlocks: null, lagSeconds: null, writer: null })
  expect(await codes()).toEqual(['not_started'])
  expect(await codes({ chain: undefined })).toEqual(['no_chain'])
})

test('reports heights, writer and standbys, without reasons for a healthy feed', async () => {
  const { worker } = network.startWorker()
  await until('at head', () => atHead(network))
  const standby = network.startWorker()
  await until('standing by', async () => (await status()).standbys === 1)
  const now = await status()
  const head = Number(await chain.publicClient.getBlockNumber({ cacheTime: 0 }))
  expect(now).toMatchObject({
    chainId: chain.chainId,
    head,
    processed: head,
    lagBlocks: 0,
    lagSeconds: 0,
    reorganisations: { count: 0, deepest: 0, last: null },
    lastStreamSeq: 0,
    oldestStreamSeq: null,
    degraded: [],
  })
  expect(now.writer?.instance).toBe(worker.status().instance)
  expect(now.writer?.heartbeatAgoMs).toBeLessThan(PATIENCE_MS)
  await standby.stop()
})

test('lag is the number of unread blocks, and the age of the oldest', async () => {
  const { stop } = network.startWorker()
  await until('at head', () => atHead(network))
  await stop()
  await chain.rpc('anvil_mine', ['0x3'])
  const { number } = await chain.publicClient.getBlock()
  const first = await chain.publicClient.getBlock({ blockNumber: number - 2n })
  const at = (seconds: number) => ({ clock: () => new Date((Number(first.timestamp) + seconds) * 1000) })
  await until('seen', async () => (await status()).lagBlocks === 3)
  expect(await status(at(45))).toMatchObject({ lagBlocks: 3, lagSeconds: 45, writer: null })
  expect(await codes(at(45))).toEqual(['no_writer'])
  expect(await codes(at(61))).toEqual(['no_writer', 'lagging'])
})

test('without the node the lag is the time since its last answer', async () => {
  network.startWorker()
  await until('at head', () => atHead(network))
  wire.leadTo(1)
  await until('away', async () => (await codes()).includes('node_unavailable'))
  const later = { clock: () => new Date(Date.now() + 600_000) }
  const now = await status(later)
  expect(now.lagSeconds).toBeGreaterThanOrEqual(599)
  expect(now.head).toBe(now.processed)
  expect(now.degraded.map(({ code }) => code)).toEqual(['node_unavailable', 'lagging'])
})

test('reports a database of another registry', async () => {
  const { stop } = network.startWorker()
  await until('at head', () => atHead(network))
  await stop()
  await network.api.db.sql`update worker_state set registry = '0x00'`
  expect(await codes()).toContain('other_registry')
})
