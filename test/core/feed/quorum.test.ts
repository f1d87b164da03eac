import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectChain } from '#lib/chain/access.ts'
import { PUBLISHED_TOPIC } from '#lib/chain/published-event.ts'
import { readFeedStatus } from '#lib/core/feed/read-status.ts'
import { startIndexer } from '#lib/core/indexer/indexer.ts'
import { testChain } from '#test/support/chain.ts'
import { testConfig } from '#test/support/config.ts'
import { type RpcCall, type RpcProxy, startRpcProxy } from '#test/support/rpc-proxy.ts'
import { until } from '#test/support/until.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'
import { signPrepared } from '../publication/sign-prepared.ts'
import { atHead, expectEqualToFreshIndex, outbox } from './projection.ts'

// One anvil behind three proxies: as many nodes, of which one or two lie.

const owner = devAccount(0)
let chain: Awaited<ReturnType<typeof testChain>>
let nodes: RpcProxy[]
let network: Network

beforeEach(async () => {
  chain = await testChain({ slotsInAnEpoch: 2 })
  nodes = await Promise.all([1, 2, 3].map(() => startRpcProxy(chain.url)))
  network = await startNetwork({
    chain,
    config: {
      chainRpcUrl: chain.url,
      worker: { ...testConfig().worker, pollMs: 25 },
    },
  })
})
afterEach(async () => {
  await network.close()
  await Promise.all(nodes.map((node) => node.close()))
  await chain.close()
})

/** A worker that follows so many of the nodes, of which two must agree. */
async function follow(count: number) {
  const { services } = network.api
  const config = {
    ...services.config,
    chainRpcUrl: nodes
      .slice(0, count)
      .map(({ url }) => url)
      .join(','),
    node: { ...services.config.node, quorum: 2 },
  }
  const ending = new AbortController()
  const worker = startIndexer(
    { ...services, config, chain: await connectChain(config) },
    { signal: ending.signal },
  )
  const stop = async () => {
    ending.abort()
    await worker.done
  }
  return { worker, stop }
}

async function publish(name: string): Promise<void> {
  await network.draftTransformation(name, owner)
  const prepared = await network.prepare('transformation', name, owner)
  const raw_tx = await signPrepared(prepared, owner)
  const sent = await network.post(
    '/publish/transformation/send',
    { name, content_hash: prepared.content_hash, raw_tx },
    owner,
  )
  expect(sent.status).toBe(202)
}

async function names(): Promise<string[]> {
  return [...new Set((await outbox(network.api.db)).map(({ name }) => name))]
}

/** An event of the registry that never was. */
function invent(logs: unknown): unknown {
  const [real] = logs as { data: string; topics: string[]; logIndex: string }[]
  return real === undefined ? logs : [...(logs as unknown[]), { ...real, logIndex: '0x63' }]
}

const lies: readonly [string, (call: RpcCall, result: unknown) => unknown][] = [
  ['hides events', ({ method }, result) => (method === 'eth_getLogs' ? [] : result)],
  ['invents an event', ({ method }, result) => (method === 'eth_getLogs' ? invent(result) : result)],
  ['says that there is no code', ({ method }, result) => (method === 'eth_getCode' ? '0x' : result)],
  [
    'shows blocks of its own',
    ({ method }, result) =>
      method === 'eth_getBlockByNumber' && result !== null && typeof result === 'object'
        ? { ...result, hash: `0x${'ab'.repeat(32)}` }
        : result,
  ],
  [
    'is far ahead',
    ({ method, params }, result) =>
      method === 'eth_getBlockByNumber' && /^[a-z]+$/.test(String(params[0])) && result !== null
        ? { ...(result as object), number: '0xffff' }
        : result,
  ],
]

test.each(lies)('a node that %s changes nothing beside two that do not', async (_, lie) => {
  const [liar] = nodes as [RpcProxy]
  liar.amend = lie
  await publish('first')
  const { stop } = await follow(3)
  await until('the head is reached', () => atHead(network))
  await publish('second')
  await until('both are there', async () => (await names()).length === 2)
  await until('the head is reached', () => atHead(network))
  await stop()
  expect(await names()).toEqual(['first', 'second'])
  await expectEqualToFreshIndex(network)
})

test('two nodes that disagree are waited out, and the status page says so', async () => {
  const [liar] = nodes as [RpcProxy]
  liar.amend = ({ method }, result) => (method === 'eth_getLogs' ? [] : result)
  await publish('first')
  const { worker, stop } = await follow(2)
  await until('it waits', () => worker.status().problem?.includes('no two nodes say the same') === true)
  await expect.poll(() => worker.status().problem).toContain('about the events of the registry')
  expect(await names()).toEqual([])
  await until('it is on the status page', async () => {
    const { degraded } = await readFeedStatus(network.api.services)
    return degraded.some(({ sentence }) => sentence.includes('the events of the registry'))
  })
  liar.amend = (_, result) => result
  await until('it goes on', async () => (await names()).length === 1)
  await stop()
  await expectEqualToFreshIndex(network)
})

test('with one of two nodes lost nothing is indexed until it is back', async () => {
  const [lost] = nodes as [RpcProxy]
  lost.refuse = () => ({ status: 503 })
  await publish('first')
  const { worker, stop } = await follow(2)
  await until('it waits', () => worker.status().problem?.includes('fewer answer') === true)
  expect(await names()).toEqual([])
  lost.refuse = () => undefined
  await until('it goes on', async () => (await names()).length === 1)
  await stop()
})

test('the events of the tests are those of the registry', async () => {
  await publish('first')
  const logs = await chain.rpc('eth_getLogs', [{ fromBlock: '0x0', topics: [PUBLISHED_TOPIC] }])
  expect(invent(logs)).toHaveLength(2)
})
