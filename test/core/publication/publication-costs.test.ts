import { size } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChainAccess, connectChain } from '#lib/chain/access.ts'
import { calldataCosts, dataFee, GAS_PRICE_ORACLE } from '#lib/core/entities/publication/publication-costs.ts'
import { devAccount, type TestChain, testChain } from '#test/support/chain.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/rpc-proxy.ts'

const from = devAccount(0).address
const short = `0x${'00ab'.repeat(40)}` as const
const long = `0x${'cd'.repeat(8000)}` as const

let chain: TestChain
let proxy: RpcProxy

beforeAll(async () => {
  chain = await testChain()
  proxy = await startRpcProxy(chain.url)
})
afterAll(async () => {
  await proxy?.close()
  await chain?.close()
})

/** The same node under the id of another chain. */
async function as(chainId: number): Promise<ChainAccess> {
  const { registry: registryAddress, runner: runnerAddress } = chain
  const access = await connectChain({ chainId, chainRpcUrl: proxy.url, registryAddress, runnerAddress })
  if (access === undefined) throw new Error('no chain')
  return access
}

test('an ordinary chain charges gas alone, and has a floor for calldata', async () => {
  const [little, much] = await calldataCosts(await as(1), from, [short, long])
  expect(little).toEqual({ extraGas: 0n, leastGas: 21_000n + 10n * (40n + 160n), dataFee: 0n })
  expect(much).toEqual({ extraGas: 0n, leastGas: 21_000n + 40n * 8000n, dataFee: 0n })
  expect(await calldataCosts(await as(31_337), from, [short])).toEqual([
    { extraGas: 0n, leastGas: 0n, dataFee: 0n },
  ])
})

test('an OP-stack chain adds what its oracle says for a transaction of that size', async () => {
  const base = await as(8453)
  expect(await dataFee(base, short)).toBe(0n)
  // Returns 1,000 wei for each byte of its argument.
  await chain.rpc('anvil_setCode', [GAS_PRICE_ORACLE, '0x6004356103e80260005260206000f3'])
  expect(await dataFee(base, short)).toBe(1000n * BigInt(size(short) + 120))
  const [, much] = await calldataCosts(base, from, [short, long])
  expect(much).toMatchObject({ extraGas: 0n, dataFee: 8_120_000n })
  // An oracle that fails or answers nonsense leaves the gas.
  for (const code of ['0x60006000fd', '0x602160006000f3', '0x60216000f3']) {
    await chain.rpc('anvil_setCode', [GAS_PRICE_ORACLE, code])
    expect(await dataFee(base, short)).toBe(0n)
  }
})

test('Arbitrum charges calldata as gas, as its node estimates it', async () => {
  proxy.intervene = ({ method, params }) => {
    if (method !== 'eth_estimateGas') return undefined
    const [{ data }] = params as [{ data: string }]
    const ordinary = data === short ? 21_000 + 4 * (40 + 160) : 21_000 + 16 * 8000
    return { result: `0x${(ordinary + 5000).toString(16)}` }
  }
  const costs = await calldataCosts(await as(42_161), from, [short, long])
  expect(costs.map(({ extraGas, dataFee }) => [extraGas, dataFee])).toEqual([
    [5000n, 0n],
    [5000n, 0n],
  ])
})
