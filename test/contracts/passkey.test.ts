import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import {
  type ContractFunctionArgs,
  encodeFunctionData,
  hashTypedData,
  keccak256,
  stringToHex,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSKEY_FACTORY, PASSKEY_FACTORY_CREATION } from '#lib/chain/passkey-factory.ts'
import { passkeyAccountAbi, passkeyFactoryAbi } from '#lib/protocol/abi.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { passkeyAddress, passkeyChallenge } from '#lib/protocol/passkey.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { type AssertionChanges, type SoftPasskey, softPasskey } from '#test/support/passkey.ts'

const SITE = 'https://weft.example'
const HASH = keccak256(stringToHex('a message'))
const MAGIC = '0x1626ba7e'

let chain: TestChain
let passkey: SoftPasskey

beforeAll(async () => {
  chain = await testChain()
  passkey = softPasskey(PASSKEY_FACTORY, SITE)
  await create(passkey)
})
afterAll(() => chain?.close())

async function mined(hash: Hex) {
  return chain.publicClient.waitForTransactionReceipt({ hash })
}

function create({ origin: { qx, qy, rpIdHash } }: SoftPasskey) {
  const call = { address: PASSKEY_FACTORY, abi: passkeyFactoryAbi, functionName: 'create' } as const
  return chain
    .wallet(1)
    .writeContract({ ...call, args: [qx, qy, rpIdHash] })
    .then(mined)
}

/** Answer of the account; undefined where it reverts. */
async function answer(signature: Hex, account = passkey.account, hash = HASH): Promise<Hex | undefined> {
  const call = { address: account, abi: passkeyAccountAbi, functionName: 'isValidSignature' } as const
  return chain.publicClient.readContract({ ...call, args: [hash, signature] }).catch(() => undefined)
}

type Calls = ContractFunctionArgs<typeof passkeyAccountAbi, 'nonpayable', 'execute'>[0]

function callsDigest(
  calls: Calls,
  nonce: bigint,
  deadline: bigint,
  account = passkey.account,
  chainId = 31_337,
) {
  return hashTypedData({
    domain: { name: 'Weft Passkey Account', version: '1', chainId, verifyingContract: account },
    types: {
      Calls: [
        { name: 'calls', type: 'Call[]' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      Call: [
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'data', type: 'bytes' },
      ],
    },
    primaryType: 'Calls',
    message: { calls, nonce, deadline },
  })
}

function execute(calls: Calls, deadline: bigint, signature: Hex, account = passkey.account) {
  const call = { address: account, abi: passkeyAccountAbi, functionName: 'execute' } as const
  return chain.publicClient.simulateContract({
    ...call,
    args: [calls, deadline, signature],
    account: chain.wallet(2).account,
  })
}

test('is created where it was predicted, once, by any account', async () => {
  const { qx, qy, rpIdHash } = passkey.origin
  const factory = { address: PASSKEY_FACTORY, abi: passkeyFactoryAbi } as const
  const args = [qx, qy, rpIdHash] as const
  const predicted = await chain.publicClient.readContract({ ...factory, functionName: 'accountOf', args })
  expect(predicted.toLowerCase()).toBe(passkey.account)
  const code = await chain.publicClient.getCode({ address: passkey.account })
  expect(code).toContain(qx.slice(2))
  expect((await create(passkey)).status).toBe('success')
  expect(await chain.publicClient.getCode({ address: passkey.account })).toBe(code)
})

test('accepts an assertion of its key, whatever else is in the JSON', async () => {
  expect(await answer(passkey.signHash(HASH, 31_337))).toBe(MAGIC)
  const extra = { topOrigin: SITE, note: 'members that a later browser adds' }
  expect(await answer(passkey.signHash(HASH, 31_337, { extra }))).toBe(MAGIC)
})

describe('does not accept', () => {
  const other = softPasskey(PASSKEY_FACTORY, SITE)
  const cases: readonly [string, AssertionChanges][] = [
    ['another RP id', { rpId: 'evil.example' }],
    ['an assertion of a registration', { type: 'webauthn.create' }],
    ['a payment', { type: 'payment.get' }],
    ['no user present', { flags: 0x1c }],
    ['no user verified', { flags: 0x19 }],
    ['backed up without being eligible', { flags: 0x15 }],
    ['a high s', { highS: true }],
    ['another key', { privateKey: other.privateKey }],
    ['a shortened JSON', { json: (text) => text.slice(0, -1) }],
    ['an empty JSON', { json: () => '' }],
    ['JSON that ends within the challenge', { json: (text) => text.slice(0, 60) }],
    [
      'another order of the JSON',
      { json: (text) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse())) },
    ],
    ['a changed origin', { json: (text) => text.replace('weft', 'evil') }],
    ['authenticator data without flags', { authenticatorData: (data) => data.slice(0, 66) as Hex }],
    ['no authenticator data', { authenticatorData: () => '0x' }],
    ['a changed counter', { authenticatorData: (data) => `${data.slice(0, -2)}01` as Hex }],
  ]
  test.each(cases)('%s', async (_, changes) => {
    expect(await answer(passkey.signHash(HASH, 31_337, changes))).not.toBe(MAGIC)
  })

  test('an assertion for another chain, account, hash, or for no account at all', async () => {
    expect(await answer(passkey.signHash(HASH, 1))).not.toBe(MAGIC)
    expect(await answer(passkey.signHash(HASH, 31_337, {}, other.account))).not.toBe(MAGIC)
    expect(await answer(passkey.signHash(keccak256(HASH), 31_337))).not.toBe(MAGIC)
    expect(await answer(passkey.signChallenge(HASH))).not.toBe(MAGIC)
  })

  test('a key that is not its own, signatures cut short, and what decodes to nothing', async () => {
    const good = passkey.signHash(HASH, 31_337)
    expect(await answer(other.signHash(HASH, 31_337, {}, passkey.account))).not.toBe(MAGIC)
    for (const length of [0, 1, 63, 64, 65, 128, 64 + 191, 64 + 192, (good.length - 2) / 2 - 96]) {
      expect(await answer(good.slice(0, 2 + 2 * length) as Hex), `${length} bytes`).not.toBe(MAGIC)
    }
    expect(await answer(`${good.slice(0, 130)}${'ff'.repeat(400)}` as Hex)).not.toBe(MAGIC)
  })

  test('anything for the contract behind all accounts', async () => {
    const implementation = await chain.publicClient.readContract({
      ...{ address: PASSKEY_FACTORY, abi: passkeyFactoryAbi, functionName: 'implementation' },
    })
    const signature = passkey.signHash(HASH, 31_337, {}, implementation as Address)
    expect(await answer(signature, implementation as Address)).not.toBe(MAGIC)
  })
})

describe('calls that a key signed', () => {
  const DEADLINE = 2n ** 40n
  const NEW = softPasskey(PASSKEY_FACTORY, SITE)

  test('add and remove keys: each signs, none is the last to go', async () => {
    const account = softPasskey(PASSKEY_FACTORY, SITE)
    await create(account)
    const self = account.account
    const change = (name: 'addKey' | 'removeKey', { qx, qy }: SoftPasskey['origin']) =>
      [
        {
          to: self,
          value: 0n,
          data: encodeFunctionData({ abi: passkeyAccountAbi, functionName: name, args: [qx, qy] }),
        },
      ] as const
    const run = async (calls: Calls, signer: SoftPasskey, nonce: bigint) => {
      const signature = signer.signChallenge(callsDigest(calls, nonce, DEADLINE, self))
      const { request } = await execute(calls, DEADLINE, signature, self)
      return mined(await chain.wallet(2).writeContract(request))
    }
    await expect(run(change('addKey', account.origin), account, 0n)).rejects.toThrow('InvalidKey')
    await expect(run(change('removeKey', account.origin), account, 0n)).rejects.toThrow('InvalidKey')
    await expect(run(change('addKey', { ...NEW.origin, qx: zeroHash }), account, 0n)).rejects.toThrow(
      'InvalidKey',
    )
    await expect(run(change('addKey', NEW.origin), NEW, 0n)).rejects.toThrow('InvalidAssertion')

    await run(change('addKey', NEW.origin), account, 0n)
    expect(await answer(account.signHash(HASH, 31_337), self)).toBe(MAGIC)
    expect(await answer(NEW.signHash(HASH, 31_337, {}, self), self)).toBe(MAGIC)
    await expect(run(change('addKey', NEW.origin), account, 0n)).rejects.toThrow('InvalidAssertion')
    await run(change('removeKey', account.origin), NEW, 1n)
    expect(await answer(account.signHash(HASH, 31_337), self)).not.toBe(MAGIC)
    expect(await answer(NEW.signHash(HASH, 31_337, {}, self), self)).toBe(MAGIC)
    await expect(run(change('removeKey', NEW.origin), NEW, 2n)).rejects.toThrow('InvalidKey')
  })

  test('count once, until their deadline, for this account, this chain and these calls', async () => {
    const calls = [{ to: chain.wallet(3).account.address, value: 0n, data: '0x' }] as const
    const signed = (...terms: Parameters<typeof callsDigest>) => passkey.signChallenge(callsDigest(...terms))
    const late = execute(calls, 1n, signed(calls, 0n, 1n))
    await expect(late).rejects.toThrow('CallsExpired')
    for (const signature of [
      signed(calls, 1n, DEADLINE),
      signed(calls, 0n, DEADLINE + 1n),
      signed([...calls, ...calls], 0n, DEADLINE),
      signed(calls, 0n, DEADLINE, NEW.account),
      signed(calls, 0n, DEADLINE, passkey.account, 1),
      // Signed as a message, which counts for nothing but messages.
      passkey.signHash(callsDigest(calls, 0n, DEADLINE), 31_337),
    ]) {
      await expect(execute(calls, DEADLINE, signature)).rejects.toThrow('InvalidAssertion')
    }
    const good = signed(calls, 0n, DEADLINE)
    const { request } = await execute(calls, DEADLINE, good)
    await mined(await chain.wallet(2).writeContract(request))
    await expect(execute(calls, DEADLINE, good)).rejects.toThrow('InvalidAssertion')
  })

  test('fail as a whole, and keys are changed by nothing else', async () => {
    const calls = [{ to: chain.registry, value: 0n, data: '0x12345678' }] as const
    const nonce = await chain.publicClient.readContract({
      ...{ address: passkey.account, abi: passkeyAccountAbi, functionName: 'nonce' },
    })
    const signature = passkey.signChallenge(callsDigest(calls, nonce as bigint, DEADLINE))
    await expect(execute(calls, DEADLINE, signature)).rejects.toThrow()
    const { qx, qy } = NEW.origin
    const direct = {
      address: passkey.account,
      abi: passkeyAccountAbi,
      account: chain.wallet(2).account,
    } as const
    for (const functionName of ['addKey', 'removeKey'] as const)
      await expect(
        chain.publicClient.simulateContract({ ...direct, functionName, args: [qx, qy] }),
      ).rejects.toThrow('NotTheAccount')
  })
})

test('chains without the precompile of P-256 verify it in Solidity', async () => {
  const evm = await createEVM({
    common: createCustomCommon({ chainId: 31_337 }, Mainnet, { hardfork: Hardfork.Cancun }),
  })
  const { createdAddress: to } = await evm.runCall({
    data: hexToBytes(PASSKEY_FACTORY_CREATION),
    gasLimit: 30_000_000n,
  })
  const factory = to!.toString() as Address
  const call = async (to: Address, data: Hex) => {
    const { execResult } = await evm.runCall({
      to: createAddressFromString(to),
      data: hexToBytes(data),
      gasLimit: 30_000_000n,
    })
    return { output: bytesToHex(execResult.returnValue), gas: execResult.executionGasUsed }
  }
  const here = softPasskey(factory, SITE)
  const { qx, qy, rpIdHash } = here.origin
  await call(
    factory,
    encodeFunctionData({ abi: passkeyFactoryAbi, functionName: 'create', args: [qx, qy, rpIdHash] }),
  )
  expect(passkeyAddress(factory, here.origin)).toBe(here.account)
  const ask = (signature: Hex) =>
    call(
      here.account,
      encodeFunctionData({
        abi: passkeyAccountAbi,
        functionName: 'isValidSignature',
        args: [HASH, signature],
      }),
    )
  const good = await ask(here.signHash(HASH, 31_337))
  expect(good.output.slice(0, 10)).toBe(MAGIC)
  expect(good.gas).toBeLessThan(400_000n)
  for (const changes of [{ highS: true }, { flags: 0x19 }, { privateKey: passkey.privateKey }])
    expect((await ask(here.signHash(HASH, 31_337, changes))).output.slice(0, 10)).not.toBe(MAGIC)
  expect(
    (await ask(here.signChallenge(passkeyChallenge(here.account, 1, HASH)))).output.slice(0, 10),
  ).not.toBe(MAGIC)
})
