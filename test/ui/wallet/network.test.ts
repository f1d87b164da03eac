import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChain } from '#lib/chain/access.ts'
import { PASSKEY_FACTORY } from '#lib/chain/passkey-factory.ts'
import { fundAccount } from '#lib/features/dev-chain/dev-chain.ts'
import type { Config } from '#lib/platform/config.ts'
import { createSessionDispatcher } from '#lib/server/operations/session/dispatcher.ts'
import { newWallet } from '#test/server/services/people.ts'
import { SITE, startApi, type TestApi } from '#test/support/api.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'

let api: TestApi
let chain: TestChain

beforeAll(async () => {
  ;[api, chain] = await Promise.all([startApi('services'), testChain()])
})
afterAll(async () => {
  await api?.close()
  await chain?.close()
})

/** The network settings of a page of a site with this configuration. */
async function told(config: Partial<Config>, headers: Record<string, string> = {}): Promise<Response> {
  const own = { ...api.services.config, ...config }
  const services = { ...api.services, config: own, chain: await connectChain(own) }
  return createSessionDispatcher({ services: async () => services })(
    new Request(`${SITE}/session/network`, { headers: { 'sec-fetch-site': 'same-origin', ...headers } }),
  )
}
function contracts() {
  return { registryAddress: chain.registry, runnerAddress: chain.runner }
}

test('a development chain of this machine is described with its address', async () => {
  const response = await told({ ...contracts(), chainRpcUrl: chain.url })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    site_origin: SITE,
    chain: {
      id: 31_337,
      name: 'Development chain',
      currency: 'ETH',
      rpc_url: chain.url,
      explorer_url: null,
      development: true,
      passkey_factory: PASSKEY_FACTORY,
    },
    chain_ids: [1, 11_155_111, 1337, 31_337],
    publication: true,
    wallet_connect: null,
    sponsored: false,
    paymaster: null,
    bundles_by_address: false,
  })
})

test('any other hides the server’s own RPC endpoint', async () => {
  const config = {
    ...contracts(),
    chainRpcUrl: chain.url,
    devPanel: false,
    explorerUrl: 'https://scan.example',
  }
  expect(await (await told(config)).json()).toMatchObject({
    chain: { rpc_url: null, explorer_url: 'https://scan.example', development: false },
  })
  expect(
    await (await told({ ...config, publicRpcUrl: 'https://rpc.example', chainName: 'Loomnet' })).json(),
  ).toMatchObject({
    chain: { rpc_url: 'https://rpc.example', name: 'Loomnet' },
  })
})

test('without a chain, or while it does not answer, signing in stays possible', async () => {
  expect(await (await told({})).json()).toMatchObject({ chain: null, publication: false })
  const away = { ...contracts(), chainRpcUrl: 'http://127.0.0.1:9' }
  expect(await (await told(away)).json()).toMatchObject({ chain: null, publication: true })
})

test('only our own pages receive it', async () => {
  expect((await told({}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

test('an account is funded once', async () => {
  const { address } = newWallet()
  const { public: client } = (await connectChain({ ...contracts(), chainRpcUrl: chain.url }))!
  await fundAccount(client, address)
  expect(await chain.publicClient.getBalance({ address })).toBe(100n * 10n ** 18n)
  await chain.rpc('anvil_setBalance', [address, '0x56bc75e2d63100001'])
  await fundAccount(client, address.toLowerCase())
  expect(await chain.publicClient.getBalance({ address })).toBe(0x56bc75e2d63100001n)
  for (const text of ['', '0x12', `${address}0`, 'toString']) {
    await expect(fundAccount(client, text)).rejects.toThrow('must be an address')
  }
})
