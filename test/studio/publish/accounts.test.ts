import { toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedMessage } from '../../../lib/people/identity/verify-signature.ts'
import type { Address } from '../../../lib/protocol/entity.ts'
import { type Network, startNetwork } from '../../publication/network.ts'
import { newContractAccount, newKeyAccount, type SigningAccount } from '../../support/smart-accounts.ts'
import { Browser, stages } from './browser.ts'

/* Accounts of every kind on a site that pays: each signs in, and publishes by one prompt. */

const key = generatePrivateKey()
let network: Network
beforeAll(async () => {
  const budget = 10n ** 21n
  network = await startNetwork({
    config: { sponsor: { key, perDay: budget, perAccount: budget, perClient: budget } },
  })
  await network.chain.rpc('anvil_setBalance', [privateKeyToAccount(key).address, '0x8ac7230489e80000'])
})
afterAll(() => network?.close())

test.each<[string, 'signature' | 'batch', (rpc: string) => Promise<SigningAccount>]>([
  ['a key', 'signature', (rpc) => newKeyAccount(rpc)],
  ['a contract', 'signature', (rpc) => newContractAccount(rpc, { keys: 1, threshold: 1 })],
  [
    'a contract that is not deployed yet',
    'batch',
    (rpc) => newContractAccount(rpc, { keys: 1, threshold: 1, counterfactual: true }),
  ],
  ['a key with code (EIP-7702)', 'signature', (rpc) => newKeyAccount(rpc, true)],
  ['two of three keys', 'signature', (rpc) => newContractAccount(rpc, { keys: 3, threshold: 2 })],
])('%s', async (_, by, make) => {
  const account = await make(network.chain.url)
  const address = account.address.toLowerCase() as Address
  const client = network.api.services.chain!.public
  const signature = await account.signMessage(toHex('Login nonce: 1'))
  expect(await signedMessage(client, address, 'Login nonce: 1', signature, [])).toBe(true)
  expect(await signedMessage(client, address, 'Login nonce: 2', signature, [])).toBe(false)

  const browser = new Browser(network, true, { account })
  let batches = 0
  if (by === 'batch')
    browser.provider = async (method, params) => {
      if (method === 'wallet_getCapabilities') return { '0x7a69': { atomic: { status: 'supported' } } }
      if (method === 'eth_getCode') return network.chain.rpc(method, params as unknown[])
      if (method === 'wallet_getCallsStatus') throw Object.assign(new Error('unknown'), { code: 5730 })
      batches++
      const { id, calls } = params[0] as { id: string; calls: [{ to: Address; data: Address }] }
      await account.send(calls[0])
      return { id }
    }
  const items = await browser.items()
  const publisher = browser.visit()
  await publisher.run(items)
  expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
  expect(await browser.published()).toBe(3)
  expect([browser.asked, batches]).toEqual(by === 'batch' ? [0, 1] : [1, 0])
})
