import { join } from 'node:path'
import {
  concat,
  encodeDeployData,
  getCreate2Address,
  type Hex,
  hashMessage,
  keccak256,
  pad,
  serializeErc6492Signature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CREATE2_DEPLOYER } from '../../lib/chain/create2-deployer.ts'
import type { Address } from '../../lib/protocol/entity.ts'
import { chainOperations } from '../../lib/server/operations/chain/index.ts'
import { compileContracts } from '../../scripts/contracts/compile.ts'
import { startApi, type TestApi } from '../api/harness.ts'
import { type ServicesApi, startServicesApi } from '../services/harness.ts'
import { challengeFor, verify } from '../services/people.ts'
import { type TestChain, testChain } from '../support/chain.ts'
import { chainConfig } from '../support/chain-config.ts'

/* Accounts whose contract is not deployed yet sign in by ERC-6492: the signature says how it would be. */

let chain: TestChain
let services: ServicesApi
let chainApi: TestApi
let walletCode: { abi: readonly unknown[]; bytecode: Hex }

beforeAll(async () => {
  // First: it holds the thread, while connections to the chain would expire.
  walletCode = compileContracts(join(import.meta.dirname, '../..'), [
    'test/Wallet.sol',
  ])[0] as typeof walletCode
  chain = await testChain()
  ;[services, chainApi] = await Promise.all([
    startServicesApi(chainConfig(chain)),
    startApi(chainOperations, chainConfig(chain)),
  ])
})
afterAll(async () => {
  await Promise.all([services?.close(), chainApi?.close()])
  await chain?.close()
})

/** A wallet of a key, which the proxy would deploy. */
function futureWallet() {
  const key = privateKeyToAccount(generatePrivateKey())
  const salt = pad('0x01')
  const { abi, bytecode } = walletCode
  const initCode = encodeDeployData({ abi, bytecode, args: [key.address] })
  const address = getCreate2Address({ from: CREATE2_DEPLOYER, salt, bytecodeHash: keccak256(initCode) })
  const deployment: Hex = concat([salt, initCode])
  return {
    key,
    address,
    deployment,
    sign: async (
      message: string,
      change: Partial<{ factory: Address; data: Hex; signer: typeof key }> = {},
    ) =>
      serializeErc6492Signature({
        address: change.factory ?? CREATE2_DEPLOYER,
        data: change.data ?? deployment,
        signature: await (change.signer ?? key).signMessage({ message }),
      }),
  }
}

async function attempt(
  signed: (message: string, wallet: ReturnType<typeof futureWallet>) => Promise<Hex>,
  chainId = 31_337,
): Promise<number> {
  const wallet = futureWallet()
  const message = await challengeFor(services, wallet.address, { chainId })
  return (await verify(services, message, await signed(message, wallet))).status
}

async function nonceMessage(address: string): Promise<string> {
  const { body } = await chainApi.call('GET', `/nonce/${address}`)
  return `Login nonce: ${(body as { nonce: string }).nonce}`
}

/** An address with this code. */
async function contract(code: Hex): Promise<Address> {
  const address = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Address
  await chain.rpc('anvil_setCode', [address, code])
  return address
}

test('signs in on both APIs, and is not deployed by it', async () => {
  const wallet = futureWallet()
  const challenge = await challengeFor(services, wallet.address)
  expect((await verify(services, challenge, await wallet.sign(challenge))).status).toBe(200)
  const message = await nonceMessage(wallet.address)
  const body = { address: wallet.address, message, signature: await wallet.sign(message) }
  expect((await chainApi.call('POST', '/auth', { body })).status).toBe(200)
  expect(await chain.publicClient.getCode({ address: wallet.address })).toBeUndefined()
})

test('once deployed, the same form of signature and the plain one are both accepted', async () => {
  const wallet = futureWallet()
  await chain.publicClient.waitForTransactionReceipt({
    hash: await chain.wallet(1).sendTransaction({ to: CREATE2_DEPLOYER, data: wallet.deployment }),
  })
  const wrapped = await challengeFor(services, wallet.address)
  expect((await verify(services, wrapped, await wallet.sign(wrapped))).status).toBe(200)
  const plain = await challengeFor(services, wallet.address)
  const signature = await wallet.key.signMessage({ message: plain })
  expect((await verify(services, plain, signature)).status).toBe(200)
})

describe('is refused', () => {
  test.each<[string, (message: string, wallet: ReturnType<typeof futureWallet>) => Promise<Hex>]>([
    ['another key', (message, { sign }) => sign(message, { signer: futureWallet().key })],
    ['another message', (message, { sign }) => sign(`${message} `)],
    [
      'the message of another address',
      async (_, { sign }) => sign(await nonceMessage(futureWallet().address)),
    ],
    ['the message of the other API', async (_, { address, sign }) => sign(await nonceMessage(address))],
    ['the wallet of another key', (message) => futureWallet().sign(message)],
    [
      'another salt',
      (message, { sign, deployment }) =>
        sign(message, { data: `0x${'02'.padStart(64, '0')}${deployment.slice(66)}` }),
    ],
    [
      'a factory that is not there',
      (message, { sign }) => sign(message, { factory: futureWallet().key.address as Address }),
    ],
    [
      'a factory that creates nothing',
      async (message, { sign }) => sign(message, { factory: await contract('0x00') }),
    ],
    [
      'a factory that reverts',
      async (message, { sign }) => sign(message, { factory: await contract('0x5f5ffd') }),
    ],
    [
      'a factory that never ends',
      async (message, { sign }) => sign(message, { factory: await contract('0x5b5f56') }),
    ],
    // Returns a megabyte.
    [
      'a factory that returns a megabyte',
      async (message, { sign }) => sign(message, { factory: await contract('0x621000005ff3') }),
    ],
    [
      'a factory that returns what a valid signature returns',
      async (message, { sign }) => sign(message, { factory: await contract('0x60015f5360015ff3') }),
    ],
    [
      'a factory that calls itself',
      async (message, { sign }) =>
        sign(message, { factory: await contract('0x5f5f5f5f5f305af15f5260205ff3') }),
    ],
    ['empty calldata for the factory', (message, { sign }) => sign(message, { data: '0x' })],
    ['nothing but the mark', async () => `0x${'00'.repeat(65)}${'6492'.repeat(16)}`],
    ['a cut signature', async (message, { sign }) => `0x${(await sign(message)).slice(66)}`],
    [
      'a mark around a mark',
      async (message, { sign, deployment }) =>
        serializeErc6492Signature({
          address: CREATE2_DEPLOYER,
          data: deployment,
          signature: await sign(message),
        }),
    ],
    [
      'a hash in place of the signature',
      async (message, { deployment }) =>
        serializeErc6492Signature({
          address: CREATE2_DEPLOYER,
          data: deployment,
          signature: hashMessage(message),
        }),
    ],
  ])('%s', async (_, signed) => {
    expect(await attempt(signed)).toBe(401)
  })

  test('for another chain, where a wallet at this address may have another owner', async () => {
    expect(await attempt((message, { sign }) => sign(message), 1)).toBe(401)
  })

  test('a second time', async () => {
    const wallet = futureWallet()
    const message = await challengeFor(services, wallet.address)
    const signature = await wallet.sign(message)
    expect((await verify(services, message, signature)).status).toBe(200)
    expect((await verify(services, message, signature)).status).toBe(401)
  })

  test('for an account with a key, whatever the factory does', async () => {
    const victim = privateKeyToAccount(generatePrivateKey())
    const message = await challengeFor(services, victim.address)
    const signature = await futureWallet().sign(message)
    expect((await verify(services, message, signature)).status).toBe(401)
  })
})
