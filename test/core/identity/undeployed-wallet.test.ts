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
import { CREATE2_DEPLOYER } from '#lib/chain/create2-deployer.ts'
import { PASSKEY_FACTORY } from '#lib/chain/passkey-factory.ts'
import { passkeyFactoryAbi } from '#lib/protocol/abi.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { withCreation } from '#lib/protocol/passkey.ts'
import { compileContracts } from '#scripts/contracts/compile.ts'
import { challengeFor, verify } from '#test/server/services/people.ts'
import { SITE, startApi, type TestApi } from '#test/support/api.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig } from '#test/support/chain-config.ts'
import { type AssertionChanges, type SoftPasskey, softPasskey } from '#test/support/passkey.ts'

/* Accounts whose contract is not deployed yet sign in by ERC-6492: the signature says how it would be. */

let chain: TestChain
let services: TestApi
let chainApi: TestApi
let walletCode: { abi: readonly unknown[]; bytecode: Hex }

beforeAll(async () => {
  // First: it holds the thread, while connections to the chain would expire.
  walletCode = compileContracts(join(import.meta.dirname, '../../..'), [
    'test/Wallet.sol',
  ])[0] as typeof walletCode
  chain = await testChain()
  ;[services, chainApi] = await Promise.all([
    startApi('services', chainConfig(chain)),
    startApi('chain', chainConfig(chain)),
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
  const { json: body } = await chainApi.send('GET', `/nonce/${address}`)
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
  expect((await chainApi.send('POST', '/auth', { json: body })).status).toBe(200)
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

describe('an account of a passkey', () => {
  const CHAIN = 31_337

  async function attemptWith(
    signed: (message: string, passkey: SoftPasskey) => Hex | Promise<Hex>,
    passkey = softPasskey(PASSKEY_FACTORY, SITE),
  ): Promise<number> {
    const message = await challengeFor(services, passkey.account)
    return (await verify(services, message, await signed(message, passkey))).status
  }

  test('signs in on both APIs before it exists, and after, in either form', async () => {
    const passkey = softPasskey(PASSKEY_FACTORY, SITE)
    const { account, signMessage } = passkey
    const wrapped = (message: string) => signMessage(message, CHAIN)
    expect(await attemptWith(wrapped, passkey)).toBe(200)
    const message = await nonceMessage(account)
    const body = { address: account, message, signature: wrapped(message) }
    expect((await chainApi.send('POST', '/auth', { json: body })).status).toBe(200)
    expect(await chain.publicClient.getCode({ address: account })).toBeUndefined()

    const { qx, qy, rpIdHash } = passkey.origin
    const create = { address: PASSKEY_FACTORY, abi: passkeyFactoryAbi, functionName: 'create' } as const
    const hash = await chain.wallet(1).writeContract({ ...create, args: [qx, qy, rpIdHash] })
    await chain.publicClient.waitForTransactionReceipt({ hash })
    expect(await attemptWith(wrapped, passkey)).toBe(200)
    expect(await attemptWith((text) => passkey.signHash(hashMessage(text), CHAIN), passkey)).toBe(200)
  })

  test('signs in with JSON that has further members', async () => {
    const extra = {
      topOrigin: SITE,
      other_keys_can_be_added_here: 'do not compare clientDataJSON against a template',
    }
    expect(await attemptWith((text, { signMessage }) => signMessage(text, CHAIN, { extra }))).toBe(200)
  })

  const changes: Readonly<Record<string, AssertionChanges>> = {
    'another origin': { origin: 'https://evil.example' },
    'a subdomain': { origin: SITE.replace('//', '//evil.') },
    'another port': { origin: `${SITE}1` },
    'another scheme': { origin: SITE.replace(/^https?/, 'ftp') },
    'the opaque origin': { origin: 'null' },
    'a frame in another site': { crossOrigin: true },
    'another RP id': { rpId: 'evil.example' },
    'a registration': { type: 'webauthn.create' },
    'no user present': { flags: 0x1c },
    'no user verified': { flags: 0x19 },
    'a high s': { highS: true },
    'another key': { privateKey: `0x${'42'.repeat(32)}` },
    'a shortened JSON': { json: (text) => text.slice(0, -1) },
    'JSON with a second origin added after signing': {
      json: (text) => text.replace('}', `,"origin":"${SITE}"}`),
    },
    'a changed counter': { authenticatorData: (data) => `${data.slice(0, -2)}07` as Hex },
    'authenticator data cut short': { authenticatorData: (data) => data.slice(0, -2) as Hex },
  }
  test.each(Object.entries(changes))('is refused with %s', async (_, change) => {
    expect(await attemptWith((text, { signMessage }) => signMessage(text, CHAIN, change))).toBe(401)
  })

  const others: Readonly<Record<string, (message: string, passkey: SoftPasskey) => Hex | Promise<Hex>>> = {
    'the challenge of another chain': (text, { signMessage }) => signMessage(text, 1),
    'the challenge of another account': (text, { signHash, wrap }) =>
      wrap(signHash(hashMessage(text), CHAIN, {}, futureWallet().address.toLowerCase() as Address)),
    'an earlier challenge': async (_, { account, signMessage }) =>
      signMessage(await challengeFor(services, account), CHAIN),
    'the message of the other API': async (_, { account, signMessage }) =>
      signMessage(await nonceMessage(account), CHAIN),
    'the hash itself as the challenge': (text, { signChallenge, wrap }) =>
      wrap(signChallenge(hashMessage(text))),
    "another account's creation": (text, { signHash }) =>
      softPasskey(PASSKEY_FACTORY, SITE).wrap(signHash(hashMessage(text), CHAIN)),
    "another account's key and creation": (text) =>
      softPasskey(PASSKEY_FACTORY, SITE).signMessage(text, CHAIN),
    'the creation of an account of another host': (text, { origin, signHash }) =>
      withCreation(
        PASSKEY_FACTORY,
        { ...origin, rpIdHash: `0x${'11'.repeat(32)}` },
        signHash(hashMessage(text), CHAIN),
      ),
    'another factory': (text, { origin, signHash }) =>
      withCreation(CREATE2_DEPLOYER, origin, signHash(hashMessage(text), CHAIN)),
    'no creation while it does not exist': (text, { signHash }) => signHash(hashMessage(text), CHAIN),
    'a signature cut short': (text, { signHash, wrap }) =>
      wrap(signHash(hashMessage(text), CHAIN).slice(0, 600) as Hex),
  }
  test.each(Object.entries(others))('is refused with %s', async (_, signed) => {
    expect(await attemptWith(signed)).toBe(401)
  })

  test('is refused where its passkeys are those of another site, though its contract agrees', async () => {
    const elsewhere = softPasskey(PASSKEY_FACTORY, 'https://evil.example')
    expect(await attemptWith((text) => elsewhere.signMessage(text, CHAIN), elsewhere)).toBe(401)
    const forged = { origin: SITE }
    expect(await attemptWith((text) => elsewhere.signMessage(text, CHAIN, forged), elsewhere)).toBe(401)
  })
})

test('an account with a key and delegated code (EIP-7702) signs in by its key', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const code: Hex = `0xef0100${(await contract('0x5f5ffd')).slice(2)}`
  await chain.rpc('anvil_setCode', [account.address, code])
  const message = await challengeFor(services, account.address)
  expect((await verify(services, message, await account.signMessage({ message }))).status).toBe(200)
})
