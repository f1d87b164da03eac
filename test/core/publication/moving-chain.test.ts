import { toFunctionSelector, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { prepareBatch } from '#lib/core/entities/publication/prepare-batch.ts'
import { messageOf } from '#test/support/api.ts'
import { testChain } from '#test/support/chain.ts'
import { contextOf } from '#test/support/context.ts'
import { lower } from '#test/support/lower.ts'
import { type RpcCall, type RpcProxy, startRpcProxy } from '#test/support/rpc-proxy.ts'
import { devAccount, type Network, startNetwork } from './network.ts'

/** A chain whose account nonces are stale for the given number of reads, and whose requests are counted. */

const NONCES = toFunctionSelector('function nonces(address)')
const alice = devAccount(0)

let chain: Awaited<ReturnType<typeof testChain>>
let proxy: RpcProxy
let network: Network
let late = 0

beforeAll(async () => {
  chain = await testChain()
  proxy = await startRpcProxy(chain.url)
  network = await startNetwork({ chain, config: { chainRpcUrl: proxy.url } })
  await network.draftTransformation('moving', alice)
  proxy.intervene = (call) => {
    if (!asksNonce(call) || late === 0) return undefined
    late -= 1
    return { result: toHex(7, { size: 32 }) }
  }
})
beforeEach(() => {
  late = 0
})
afterAll(async () => {
  await network?.close()
  await proxy?.close()
  await chain?.close()
})

function asksNonce({ method, params }: RpcCall): boolean {
  const { data, input } = (params[0] ?? {}) as { data?: string; input?: string }
  return method === 'eth_call' && (data ?? input ?? '').startsWith(NONCES)
}

test('a nonce that moved while a publication was prepared is looked up again', async () => {
  late = 2
  const prepared = await network.prepare('transformation', 'moving', alice)
  expect(Number(prepared.publication_nonce)).toBe(0)
  expect(late).toBe(0)
})

test('one that moves repeatedly is reported', async () => {
  late = 3
  await network.draftTransformation('restless', alice)
  const answer = await network.post('/publish/transformation/prepare', { name: 'restless' }, alice)
  expect(answer.status).toBe(400)
  expect(messageOf(answer)).toMatch(/InvalidAccountNonce/)
})

test('preparing takes two round trips to the node, with relay and in a batch too', async () => {
  const bob = devAccount(1)
  await network.draftTransformation('step', bob)
  await network.publish('transformation', 'step', bob)
  await network.draftTransformation('leap', bob)
  await network.draftConnector('walk', ['step', 'leap'], bob)
  await network.draftConnector('stroll', ['step'], bob)
  const requests = async (work: () => Promise<unknown>) => {
    let count = 0
    proxy.refuse = () => {
      count += 1
      return undefined
    }
    await work()
    proxy.refuse = () => undefined
    return count
  }
  const items = [
    { kind: 'transformation', name: 'leap' },
    { kind: 'connector', name: 'walk' },
  ] as const
  expect([
    await requests(() => network.prepare('connector', 'stroll', bob)),
    await requests(() => network.prepare('connector', 'stroll', bob, true)),
    await requests(() => prepareBatch(contextOf(network.api.services, lower(bob.address)), items)),
  ]).toEqual([2, 2, 2])
})
