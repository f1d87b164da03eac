import { type Hex, keccak256, numberToHex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { explains, mayHold } from '#lib/chain/bloom.ts'
import { PUBLISHED_TOPIC } from '#lib/chain/published-event.ts'
import { readFeedStatus } from '#lib/core/feed/read-status.ts'
import { testChain } from '#test/support/chain.ts'
import { testConfig } from '#test/support/config.ts'
import { type RpcCall, type RpcProxy, startRpcProxy } from '#test/support/rpc-proxy.ts'
import { until } from '#test/support/until.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'
import { atHead, expectEqualToFreshIndex, outbox } from './projection.ts'

// One anvil behind one proxy that lies: the filter of a header speaks of events that the node does not give.

const owner = devAccount(0)
const ALL_BITS = `0x${'f'.repeat(512)}`
let chain: Awaited<ReturnType<typeof testChain>>
let proxy: RpcProxy
let network: Network

beforeEach(async () => {
  chain = await testChain({ slotsInAnEpoch: 2 })
  proxy = await startRpcProxy(chain.url)
  const worker = { ...testConfig().worker, pollMs: 25 }
  network = await startNetwork({ chain, config: { chainRpcUrl: proxy.url, worker } })
})
afterEach(async () => {
  await network?.close()
  await proxy?.close()
  await chain?.close()
})

function isRange({ method, params }: RpcCall): boolean {
  return method === 'eth_getLogs' && (params[0] as { address?: unknown }).address !== undefined
}

async function codes(): Promise<string[]> {
  return (await readFeedStatus(network.api.services)).degraded.map(({ code }) => code)
}

test('a publication that the only node hides raises an alarm, and is read again until it shows', async () => {
  const { worker } = network.startWorker()
  await until('it follows', () => atHead(network))
  let hidden = 0
  proxy.amend = (call, result) => {
    if (!isRange(call)) return result
    if ((result as unknown[]).length > 0) hidden++
    return []
  }
  await network.draftTransformation('hidden', owner)
  const { tx_hash } = await network.publish('transformation', 'hidden', owner)
  const { blockNumber } = await network.chain.publicClient.getTransactionReceipt({ hash: tx_hash })
  await until('it is read again', () => hidden > 2)
  await expect
    .poll(() => worker.status())
    .toMatchObject({
      problemCode: 'events_missing',
      problem: expect.stringContaining(`block ${blockNumber} has events`),
    })
  await until('the status page says so', async () => (await codes()).includes('events_missing'))
  // Nothing behind the block was taken for read.
  expect(worker.status().state?.processedBlock ?? 0).toBeLessThan(Number(blockNumber))
  expect(await outbox(network.api.db)).toEqual([])

  proxy.amend = (_, result) => result
  await until('it is indexed', () => atHead(network))
  expect((await outbox(network.api.db)).map(({ name }) => name)).toContain('hidden')
  await until('the alarm is over', async () => !(await codes()).includes('events_missing'))
  await expectEqualToFreshIndex(network)
})

test('a filter that other logs explain, or that no node can explain, is told apart', async () => {
  const values: Hex[] = [network.api.services.chain?.registry as Hex, PUBLISHED_TOPIC]
  const topics: Hex[] = []
  for (let i = 0; !explains([{ address: owner.address, topics }], values); i++) {
    topics.push(keccak256(numberToHex(i)))
  }
  const { worker } = network.startWorker()
  await until('it follows', () => atHead(network))
  let asked = 0
  let others: readonly object[] = [{ address: owner.address, topics }]
  proxy.amend = (call, result) => {
    if (call.method === 'eth_getBlockByNumber' && result !== null)
      return { ...(result as object), logsBloom: ALL_BITS }
    if (call.method !== 'eth_getLogs' || isRange(call)) return result
    asked++
    return others
  }
  await chain.rpc('anvil_mine', ['0x1'])
  await until('it goes on', () => asked > 0 && atHead(network))
  await expect.poll(() => worker.status().problemCode).toBeUndefined()

  others = []
  await chain.rpc('anvil_mine', ['0x1'])
  await until('it waits', () => worker.status().problemCode === 'events_missing')
  // A node that refuses all logs of a block cannot be held to its header.
  proxy.intervene = (call) =>
    call.method === 'eth_getLogs' && !isRange(call)
      ? { code: -32_602, message: 'specify an address' }
      : undefined
  await until('it goes on', () => atHead(network))
})

test('the filter of a real header holds what was logged', async () => {
  await network.draftTransformation('seen', owner)
  const { tx_hash } = await network.publish('transformation', 'seen', owner)
  const { blockNumber } = await chain.publicClient.getTransactionReceipt({ hash: tx_hash })
  const bloomOf = async (at: bigint) => (await chain.publicClient.getBlock({ blockNumber: at })).logsBloom
  const values: Hex[] = [network.api.services.chain?.registry as Hex, PUBLISHED_TOPIC]
  expect(mayHold(await bloomOf(blockNumber), values)).toBe(true)
  expect(mayHold(await bloomOf(blockNumber), [owner.address])).toBe(false)
  await chain.rpc('anvil_mine', ['0x1'])
  expect(mayHold(await bloomOf(blockNumber + 1n), values)).toBe(false)
  for (const malformed of [undefined, null, '0x', '0xzz', ALL_BITS.slice(0, -2)])
    expect(mayHold(malformed, values)).toBe(false)
})
