import {
  encodeFunctionData,
  hashMessage,
  hashTypedData,
  type LocalAccount,
  numberToHex,
  serializeErc6492Signature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CREATE2_DEPLOYER } from '#lib/chain/create2-deployer.ts'
import { PASSKEY_FACTORY } from '#lib/chain/passkey-factory.ts'
import { registryEntry } from '#lib/chain/registry-reads.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { confirm } from '#lib/core/entities/publication/confirm.ts'
import { prepareBatch } from '#lib/core/entities/publication/prepare-batch.ts'
import { publishSponsored, type SponsoredInput } from '#lib/features/sponsor/sponsor.ts'
import { passkeyFactoryAbi } from '#lib/protocol/abi.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { encodeCreateAndCall, withCreation } from '#lib/protocol/passkey.ts'
import { contextOf } from '#test/support/context.ts'
import { type AssertionChanges, type SoftPasskey, softPasskey } from '#test/support/passkey.ts'
import { type Network, startNetwork } from './network.ts'

/* Accounts of passkeys publish by one signature: the transaction that the operator pays for creates them as well. */

const ETHER = 10n ** 18n
const SITE = 'http://localhost:3000'
const CHAIN = 31_337
const sponsorKey = generatePrivateKey()
const sponsor = privateKeyToAccount(sponsorKey).address

let network: Network
let counter = 0

beforeAll(async () => {
  network = await startNetwork({
    config: { sponsor: { key: sponsorKey, perDay: ETHER, perAccount: ETHER, perClient: ETHER } },
  })
  await network.chain.rpc('anvil_setBalance', [sponsor, numberToHex(10n * ETHER)])
})
afterAll(() => network?.close())

function contextFor({ account }: SoftPasskey) {
  return contextOf(network.api.services, account)
}

interface Plan {
  readonly passkey: SoftPasskey
  readonly items: SponsoredInput['items']
  readonly digest: Hex
}

async function newPlan(passkey = softPasskey(PASSKEY_FACTORY, SITE)): Promise<Plan> {
  const name = `kept_${counter++}`
  const account = { address: passkey.account } as LocalAccount
  await network.draftTransformation(name, account)
  await network.draftConnector(`${name}_c`, [name], account)
  const { items, typedData } = await prepareBatch(contextFor(passkey), [
    { kind: 'transformation', name },
    { kind: 'connector', name: `${name}_c` },
  ])
  const { EIP712Domain: _, ...types } = JSON.parse(typedData!).types
  return { passkey, items, digest: hashTypedData({ ...JSON.parse(typedData!), types }) }
}

function submit({ passkey, items }: Plan, signature: Hex) {
  return publishSponsored(contextFor(passkey), { items, signature })
}

async function published(plan: Plan, signature: Hex) {
  const txHash = await submit(plan, signature)
  const receipt = await network.chain.publicClient.waitForTransactionReceipt({ hash: txHash })
  expect(receipt.status).toBe('success')
  for (const item of plan.items) {
    const entry = await registryEntry(await verifiedChain(network.api.services), item.kind, item.name)
    expect(entry?.owner).toBe(plan.passkey.account)
    expect(await confirm(contextFor(plan.passkey), { ...item, txHash })).toMatchObject({ txHash })
  }
  return receipt
}

test('one signature and one transaction create the account and publish; later ones only publish', async () => {
  const plan = await newPlan()
  const { passkey, digest } = plan
  const signature = passkey.wrap(passkey.signHash(digest, CHAIN))
  const { publicClient } = network.chain
  const first = await published(plan, signature)
  expect(first.to).toBe(PASSKEY_FACTORY)
  expect(await publicClient.getTransactionCount({ address: sponsor })).toBe(1)
  expect(await submit(plan, signature)).toBe(first.transactionHash)

  const next = await newPlan(passkey)
  const second = await published(next, passkey.wrap(passkey.signHash(next.digest, CHAIN)))
  expect(second.to).toBe(network.chain.registry.toLowerCase())
  // Creating the account and the first nonce.
  expect(first.gasUsed - second.gasUsed).toBeLessThan(100_000n)
  const third = await newPlan(passkey)
  await published(third, passkey.signHash(third.digest, CHAIN))
})

describe('nothing is paid for', () => {
  let plan: Plan
  let balance: bigint
  beforeAll(async () => {
    plan = await newPlan()
    balance = await network.chain.publicClient.getBalance({ address: sponsor })
  })

  // What the account itself refuses besides: `test/contracts/passkey.test.ts`.
  const changes: Readonly<Record<string, AssertionChanges>> = {
    'another origin': { origin: 'https://evil.example' },
    'another key': { privateKey: `0x${'42'.repeat(32)}` },
  }
  const inFactory = (call: Hex, { passkey, digest }: Plan) =>
    serializeErc6492Signature({
      address: PASSKEY_FACTORY,
      data: call,
      signature: passkey.signHash(digest, CHAIN),
    })
  const signatures: Readonly<Record<string, (plan: Plan) => Hex>> = {
    ...Object.fromEntries(
      Object.entries(changes).map(([name, change]) => [
        name,
        ({ passkey, digest }: Plan) => passkey.wrap(passkey.signHash(digest, CHAIN, change)),
      ]),
    ),
    'no creation': ({ passkey, digest }) => passkey.signHash(digest, CHAIN),
    'another chain': ({ passkey, digest }) => passkey.wrap(passkey.signHash(digest, 1)),
    'a sign-in': ({ passkey }) => passkey.wrap(passkey.signHash(hashMessage('Login nonce: 1'), CHAIN)),
    'the digest itself as the challenge': ({ passkey, digest }) =>
      passkey.wrap(passkey.signChallenge(digest)),
    "another account's signature": ({ digest }) => {
      const other = softPasskey(PASSKEY_FACTORY, SITE)
      return other.wrap(other.signHash(digest, CHAIN))
    },
    "another account's creation": ({ passkey, digest }) =>
      softPasskey(PASSKEY_FACTORY, SITE).wrap(passkey.signHash(digest, CHAIN)),
    'a creation for another host': ({ passkey, digest }) =>
      withCreation(
        PASSKEY_FACTORY,
        { ...passkey.origin, rpIdHash: `0x${'11'.repeat(32)}` },
        passkey.signHash(digest, CHAIN),
      ),
    'another factory': ({ passkey, digest }) =>
      withCreation(CREATE2_DEPLOYER, passkey.origin, passkey.signHash(digest, CHAIN)),
    'a call of the factory that makes another call': (plan) =>
      inFactory(encodeCreateAndCall(plan.passkey.origin, CREATE2_DEPLOYER, `0x${'00'.repeat(64)}`), plan),
    'bytes behind the creation': (plan) => {
      const { qx, qy, rpIdHash } = plan.passkey.origin
      const args = [qx, qy, rpIdHash] as const
      return inFactory(
        `${encodeFunctionData({ abi: passkeyFactoryAbi, functionName: 'create', args })}00`,
        plan,
      )
    },
    'no call of the factory': (plan) => inFactory('0x', plan),
    'nothing but the mark': () => `0x${'00'.repeat(65)}${'6492'.repeat(16)}`,
    'a mark around a mark': ({ passkey, digest }) =>
      passkey.wrap(passkey.wrap(passkey.signHash(digest, CHAIN))),
  }
  test.each(Object.entries(signatures))('%s', async (_, sign) => {
    await expect(submit(plan, sign(plan))).rejects.toMatchObject({ name: 'Failure', code: 'invalid_request' })
  })

  test('all of them left the sponsor and the account as they were; the right one is published', async () => {
    const { publicClient } = network.chain
    expect(await publicClient.getBalance({ address: sponsor })).toBe(balance)
    expect(await publicClient.getCode({ address: plan.passkey.account })).toBeUndefined()
    await published(plan, plan.passkey.wrap(plan.passkey.signHash(plan.digest, CHAIN)))
  })
})
