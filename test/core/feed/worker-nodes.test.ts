import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readFeedStatus } from '#lib/core/feed/read-status.ts'
import { testChain } from '#test/support/chain.ts'
import { testConfig } from '#test/support/config.ts'
import {
  type Intervention,
  type Refusal,
  type RpcCall,
  type RpcProxy,
  startRpcProxy,
} from '#test/support/rpc-proxy.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { until } from '#test/support/until.ts'
import { waitForProjection } from '#test/support/wait-for-projection.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'
import { atHead, expectEqualToFreshIndex, outbox, processedBlock, projection } from './projection.ts'

const owner = devAccount(0)
function portOf(url: string) {
  return Number(new URL(url).port)
}
function mine(network: Network, blocks: number) {
  return network.chain.rpc('anvil_mine', [`0x${blocks.toString(16)}`])
}

describe('a node with limits', () => {
  let chain: Awaited<ReturnType<typeof testChain>>
  let network: Network
  let proxy: RpcProxy

  beforeEach(async () => {
    chain = await testChain({ slotsInAnEpoch: 2 })
    proxy = await startRpcProxy(chain.url)
    const worker = { ...testConfig().worker, pollMs: 25, safeDepth: 3, finalizedDepth: 6 }
    network = await startNetwork({ chain, config: { chainRpcUrl: proxy.url, worker } })
  })
  afterEach(async () => {
    await network?.close()
    await proxy?.close()
    await chain?.close()
  })

  const blocksAsked = ({ method, params }: RpcCall): number => {
    const [filter] = params as [{ fromBlock?: string; toBlock?: string }?]
    if (method !== 'eth_getLogs' || filter?.fromBlock === undefined) return 0
    return Number(filter.toBlock) - Number(filter.fromBlock) + 1
  }

  const limits: readonly [number, string, Refusal][] = [
    [1, 'as bad parameters', { code: -32602, message: 'eth_getLogs is limited to 1 block' }],
    [100, 'as a limit exceeded', { code: -32005, message: 'query returned more than 10000 results' }],
    [250, 'as a request too large', { status: 413 }],
  ]
  for (const [limit, how, refusal] of limits) {
    test(`of ${limit} blocks a query, refused ${how}, is indexed to its head`, async () => {
      await network.draftTransformation('early', owner)
      await network.publish('transformation', 'early', owner)
      await mine(network, limit === 1 ? 60 : 600)
      await network.draftTransformation('late', owner)
      await network.publish('transformation', 'late', owner)
      await mine(network, 8)
      let refused = 0
      let answered = 0
      proxy.intervene = (call) => {
        const blocks = blocksAsked(call)
        if (blocks > 0 && blocks <= limit) answered += 1
        if (blocks <= limit) return undefined
        refused += 1
        return refusal
      }
      network.startWorker()
      await until('read to the end', () => atHead(network))
      await expectEqualToFreshIndex(network)
      expect(answered).toBeGreaterThan(0)
      // Learned once, and retried only now and then; the client itself retries some rejections three times.
      expect(refused).toBeLessThan(3 * (12 + answered / 5))
    })
  }

  test('without the tags safe and finalized: configured depths apply', async () => {
    proxy.intervene = ({ params }) =>
      params[0] === 'safe' || params[0] === 'finalized'
        ? { code: -32602, message: 'invalid block tag' }
        : undefined
    network.startWorker()
    await mine(network, 10)
    await network.draftTransformation('add', owner)
    await network.publish('transformation', 'add', owner)
    const heights = async () => {
      const { safe, finalized } = await readFeedStatus(network.api.services)
      return [safe, finalized]
    }
    for (const [blocks, expected] of [
      [0, ['observed']],
      [2, ['observed']],
      [1, ['observed', 'safe']],
      [2, ['observed', 'safe']],
      [1, ['observed', 'safe', 'finalized']],
    ] as const) {
      if (blocks > 0) await mine(network, blocks)
      const head = Number(await chain.publicClient.getBlockNumber({ cacheTime: 0 }))
      await until(
        'heights',
        async () => JSON.stringify(await heights()) === JSON.stringify([head - 3, head - 6]),
      )
      expect((await outbox(network.api.db)).map(({ status }) => status)).toEqual(expected)
    }
  })

  test('that fails to return a known tag makes nothing final, whatever the error code', async () => {
    network.startWorker()
    await network.draftTransformation('add', owner)
    await network.publish('transformation', 'add', owner)
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'add' })
    const before = await readFeedStatus(network.api.services)
    for (const code of [-32000, -32602, -32603]) {
      proxy.intervene = ({ params }) =>
        params[0] === 'safe' || params[0] === 'finalized'
          ? { code, message: 'finalized block not found' }
          : undefined
      await mine(network, 12)
      await until('at head', () => atHead(network))
      const now = await readFeedStatus(network.api.services)
      expect([now.safe, now.finalized]).toEqual([before.safe, before.finalized])
    }
    proxy.intervene = () => undefined
    await until('final', async () => (await outbox(network.api.db)).at(-1)?.status === 'finalized')
  })
})

describe('a node that is replaced', () => {
  let known: Awaited<ReturnType<typeof testChain>>
  let stranger: Awaited<ReturnType<typeof testChain>>
  let wire: TcpProxy
  let network: Network

  beforeEach(async () => {
    known = await testChain({ slotsInAnEpoch: 2 })
    stranger = await testChain({ slotsInAnEpoch: 2 })
    wire = await startTcpProxy(portOf(known.url))
    network = await startNetwork({ chain: known, config: { chainRpcUrl: wire.through(known.url) } })
    await network.draftTransformation('settled', owner)
    await network.publish('transformation', 'settled', owner)
  })
  afterEach(async () => {
    await network?.close()
    await wire?.close()
    await Promise.all([known?.close(), stranger?.close()])
  })

  const codes = async () => (await readFeedStatus(network.api.services)).degraded.map(({ code }) => code)
  const frozen = async () => {
    const [row] = await network.api.db.sql`select frozen_reason, frozen_since_ms from worker_state`
    return row?.frozen_reason !== null && row?.frozen_since_ms !== null
  }
  const everything = async () => ({
    ...(await projection(network.api.db)),
    blocks: await network.api.db.sql`select * from chain_blocks order by number`,
    outbox: await outbox(network.api.db),
  })

  test('by one that is down: reads continue, status reports it, indexing resumes', async () => {
    const { worker } = network.startWorker()
    await until('at head', () => atHead(network))
    wire.leadTo(1)
    await until('said', () => worker.status().problemCode === 'chain_unavailable')
    await expect.poll(codes).toContain('node_unavailable')
    const read = await network.api.send('GET', '/transformation/settled')
    expect(read).toMatchObject({ status: 200, json: { name: 'settled' } })
    await mine(network, 5)
    wire.leadTo(portOf(known.url))
    await until('at head', () => atHead(network))
    await expect.poll(() => worker.status().problem).toBeUndefined()
    await until('well again', async () => (await codes()).length === 0)
  })

  test('by one that hangs: requests time out, indexing resumes', async () => {
    const { worker } = network.startWorker()
    await until('at head', () => atHead(network))
    const seen = worker.status().headSeenAtMs
    wire.freeze()
    await mine(network, 5)
    await expect.poll(codes).toContain('node_unavailable')
    wire.thaw()
    await until('at head', () => atHead(network))
    await expect.poll(() => worker.status().headSeenAtMs).toBeGreaterThan(seen ?? 0)
  })

  test('by one of another chain below finality: freezes, also after a restart, and recovers', async () => {
    const first = network.startWorker()
    await mine(network, 12)
    await until('final', async () => (await outbox(network.api.db)).at(-1)?.status === 'finalized')
    await until('at head', () => atHead(network))
    // Longer than the known chain, and another from the first block after the contracts.
    await stranger.rpc('evm_increaseTime', [3_600])
    await stranger.rpc('anvil_mine', ['0x40'])
    const before = await everything()
    wire.leadTo(portOf(stranger.url))
    await until('frozen', frozen)
    await expect.poll(() => first.worker.status().problemCode).toBe('beyond_finality')
    await first.stop()
    expect(await frozen()).toBe(true)
    expect(await codes()).toEqual(expect.arrayContaining(['no_writer', 'beyond_finality']))

    const second = network.startWorker()
    await until('frozen again', () => second.worker.status().problemCode === 'beyond_finality')
    await stranger.rpc('anvil_mine', ['0x4'])
    expect(await everything()).toEqual(before)
    expect((await network.api.send('HEAD', '/transformation/settled')).status).toBe(200)

    wire.leadTo(portOf(known.url))
    await until('thawed', async () => !(await frozen()))
    await mine(network, 3)
    await until('at head', () => atHead(network))
    await until('well again', async () => (await codes()).length === 0)
    await expectEqualToFreshIndex(network)
  })

  test('by one that is 10,000 blocks behind: rewrites nothing, resumes when it caught up', async () => {
    const tall = await startRpcProxy(known.url)
    try {
      const { number: base, hash } = await known.publicClient.getBlock()
      tall.intervene = emptyBlocksAbove(Number(base), hash, 10_000)
      wire.leadTo(portOf(tall.url))
      const { worker } = network.startWorker()
      const top = Number(base) + 10_000
      const processed = async () => (await processedBlock(network.api.db)).number
      await until('read', async () => (await processed()) === top)
      const before = await everything()
      for (const behind of [known, stranger]) {
        wire.leadTo(portOf(behind.url))
        await until('behind', () => worker.status().problemCode === 'node_behind')
        await mine(network, 2)
        await stranger.rpc('anvil_mine', ['0x2'])
        await until('said', async () => (await codes()).join() === 'node_behind')
        expect(await everything()).toEqual(before)
      }
      expect((await network.api.send('HEAD', '/transformation/settled')).status).toBe(200)
      tall.intervene = emptyBlocksAbove(Number(base), hash, 10_001)
      wire.leadTo(portOf(tall.url))
      await until('goes on', async () => (await processed()) === top + 1)
      expect(worker.status().reorganisations).toBe(0)
    } finally {
      await tall.close()
    }
  })
})

/** Lengthens a chain by empty blocks, which cost nothing to make. */
function emptyBlocksAbove(base: number, baseHash: string, count: number) {
  return ({ method, params }: RpcCall): Intervention | undefined => {
    const top = base + count
    const hashOf = (n: number) => (n === base ? baseHash : `0x${n.toString(16).padStart(64, 'e')}`)
    const block = (n: number) => ({
      number: `0x${n.toString(16)}`,
      hash: hashOf(n),
      parentHash: hashOf(n - 1),
      timestamp: `0x${(1_700_000_000 + n).toString(16)}`,
      transactions: [],
    })
    const [first] = params
    const tags: Readonly<Record<string, number>> = { latest: top, safe: top - 2, finalized: top - 4 }
    if (method === 'eth_getBlockByNumber') {
      const n = tags[String(first)] ?? Number(first)
      if (n <= base) return { params: [`0x${n.toString(16)}`, false] }
      return { result: n <= top ? block(n) : null }
    }
    if (method === 'eth_getBlockByHash' && String(first).startsWith('0xeee')) {
      return { result: block(Number(`0x${String(first).replace(/^0xe+/, '')}`)) }
    }
    if (method !== 'eth_getLogs') return undefined
    const [filter] = params as [{ fromBlock?: string; toBlock?: string; blockHash?: string }]
    if (filter.blockHash?.startsWith('0xeee') || Number(filter.fromBlock) > base) return { result: [] }
    if (Number(filter.toBlock) <= base || filter.toBlock === undefined) return undefined
    return { params: [{ ...filter, toBlock: `0x${base.toString(16)}` }] }
  }
}
