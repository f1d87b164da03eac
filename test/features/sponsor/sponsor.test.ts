import { type Hex, hashTypedData, numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodePublish, encodePublish, type Publication } from '#lib/chain/publication-calldata.ts'
import { batchTypedData, publicationTypedData } from '#lib/chain/publication-typed-data.ts'
import { registryEntry } from '#lib/chain/registry-reads.ts'
import type { Context } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { prepareBatch } from '#lib/core/entities/publication/prepare-batch.ts'
import { findPublication } from '#lib/core/entities/publication/records.ts'
import { isSponsored, readSponsorAccount } from '#lib/core/entities/publication/sponsor-budget.ts'
import { settlePending } from '#lib/features/sponsor/settle.ts'
import { publishSponsored, type SponsoredInput } from '#lib/features/sponsor/sponsor.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { type Network, startNetwork } from '#test/core/publication/network.ts'
import { contextOf } from '#test/support/context.ts'
import { lower } from '#test/support/lower.ts'

/* Publications that the operator pays for: what the owner signed, or nothing; never more than the budget. */

const ETHER = 10n ** 18n
const sponsorKey = generatePrivateKey()
const sponsor = privateKeyToAccount(sponsorKey)
const budgets = { key: sponsorKey, perDay: ETHER, perAccount: ETHER, perClient: ETHER }

let network: Network
let counter = 0

beforeAll(async () => {
  network = await startNetwork({ config: { sponsor: budgets } })
  await fund(sponsor.address, 100n * ETHER)
})
afterAll(() => network?.close())

function fund(address: Address, wei: bigint) {
  return network.chain.rpc('anvil_setBalance', [address, numberToHex(wei)])
}

interface Change {
  readonly caller?: Address | undefined
  readonly client?: string
  readonly sponsor?: Partial<Config['sponsor']>
  readonly config?: Partial<Config>
}

function contextFor(caller: Address | undefined, change: Change = {}): Context {
  const { services } = network.api
  return {
    ...contextOf(services, 'caller' in change ? change.caller : caller),
    config: { ...services.config, sponsor: { ...budgets, ...change.sponsor }, ...change.config },
    client: change.client,
  }
}

interface Plan {
  readonly owner: PrivateKeyAccount
  readonly items: SponsoredInput['items']
  readonly publications: readonly Publication[]
  readonly signature: Hex
}

/** A function and, with two items, a connector of it, prepared and signed. */
async function newPlan(items: 1 | 2 = 1, owner = privateKeyToAccount(generatePrivateKey())): Promise<Plan> {
  const name = `paid_${counter++}`
  await network.draftTransformation(name, owner)
  if (items === 2) await network.draftConnector(`${name}_c`, [name], owner)
  const wanted = [
    { kind: 'transformation' as const, name },
    { kind: 'connector' as const, name: `${name}_c` },
  ]
  const ctx = contextFor(lower(owner.address))
  const batch = await prepareBatch(ctx, wanted.slice(0, items))
  const records = await Promise.all(
    batch.items.map((item) => findPublication(ctx, { ...item, owner: lower(owner.address) })),
  )
  return {
    owner,
    items: batch.items,
    publications: records.map((record) => decodePublish(record!.calldata)!.publication),
    signature: await owner.signTypedData(JSON.parse(batch.typedData!)),
  }
}

function submit(plan: Plan, change: Change & Partial<SponsoredInput> = {}): Promise<Hash> {
  const { items = plan.items, signature = plan.signature } = change
  return publishSponsored(contextFor(lower(plan.owner.address), change), { items, signature })
}

function domain() {
  return { registry: network.chain.registry, chainId: 31_337 }
}
function signed(plan: Plan, publications = plan.publications, at = domain(), by = plan.owner): Promise<Hex> {
  return by.signTypedData(batchTypedData(publications, at))
}

/** The plan signed by its owner, under another domain. */
function otherDomain(plan: Plan, change: object): Promise<Hex> {
  const data = batchTypedData(plan.publications, domain())
  return plan.owner.signTypedData({ ...data, domain: { ...data.domain, ...change } })
}

function altered(plan: Plan, change: Partial<Publication>): Promise<Hex> {
  return signed(plan, [{ ...plan.publications[0]!, ...change }, ...plan.publications.slice(1)])
}

function otherV({ signature }: Plan): '1b' | '1c' {
  return signature.endsWith('1b') ? '1c' : '1b'
}

function otherS(plan: Plan): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${plan.signature.slice(66, 130)}`)
  return `0x${plan.signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${otherV(plan)}`
}

function compact({ signature }: Plan): Hex {
  const s = BigInt(`0x${signature.slice(66, 130)}`) | (signature.endsWith('1c') ? 1n << 255n : 0n)
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}`
}

/** Runs with a state of the chain that is taken back. */
async function inBranch(work: () => Promise<unknown>): Promise<void> {
  const snapshot = await network.chain.rpc('evm_snapshot', [])
  try {
    await work()
  } finally {
    await network.chain.rpc('evm_revert', [snapshot])
  }
}

const stranger = privateKeyToAccount(generatePrivateKey())

/** Replacements for the owner's signature. */
const SIGNATURES: Readonly<Record<string, (plan: Plan) => string | Promise<string>>> = {
  'an empty signature': () => '0x',
  'no signature at all': () => '',
  'a signature that is no hex': () => `0x${'zz'.repeat(65)}`,
  'half a byte more': ({ signature }) => `${signature}0`,
  'a byte less': ({ signature }) => signature.slice(0, -2),
  'a byte more': ({ signature }) => `${signature}00`,
  zeros: () => `0x${'00'.repeat(65)}`,
  'a signature of 4,096 bytes': () => `0x${'11'.repeat(4096)}`,
  'a signature of 4,097 bytes': () => `0x${'11'.repeat(4097)}`,
  'a signature of a megabyte': () => `0x${'11'.repeat(1_000_000)}`,
  'the compact form (EIP-2098)': compact,
  'the other s of the curve': otherS,
  'v of 29': ({ signature }) => `${signature.slice(0, -2)}1d`,
  'the other v': (plan) => plan.signature.slice(0, -2) + otherV(plan),
  'an r of another': async ({ signature }) =>
    (await stranger.signMessage({ message: 'r' })).slice(0, 66) + signature.slice(66),
  "a stranger's signature": (plan) => signed(plan, plan.publications, domain(), stranger),
  "the sponsor's own signature": (plan) => signed(plan, plan.publications, domain(), sponsor),
  'the digest as a message (EIP-191)': ({ owner, publications }) =>
    owner.signMessage({ message: { raw: hashTypedData(batchTypedData(publications, domain())) } }),
  'a sign-in': ({ owner }) => owner.signMessage({ message: 'localhost wants you to sign in' }),
  'another chain': (plan) => signed(plan, plan.publications, { ...domain(), chainId: 1 }),
  'chain 0': (plan) => signed(plan, plan.publications, { ...domain(), chainId: 0 }),
  'another registry': (plan) =>
    signed(plan, plan.publications, { ...domain(), registry: lower(stranger.address) }),
  'the runner as the contract': (plan) =>
    signed(plan, plan.publications, { ...domain(), registry: network.chain.runner }),
  'another name of the domain': (plan) => otherDomain(plan, { name: 'Weft' }),
  'another version of the domain': (plan) => otherDomain(plan, { version: '2' }),
  'another name': (plan) => altered(plan, { name: 'better' }),
  'another kind': (plan) => altered(plan, { kind: 'condition' }),
  'another owner': (plan) => altered(plan, { owner: lower(stranger.address) }),
  'another content hash': (plan) => altered(plan, { contentHash: `0x${'22'.repeat(32)}` }),
  'the next nonce': (plan) => altered(plan, { nonce: plan.publications[0]!.nonce + 1n }),
  'a far nonce': (plan) => altered(plan, { nonce: 2n ** 255n }),
  'a later deadline': (plan) => altered(plan, { deadline: plan.publications[0]!.deadline + 1n }),
  'no deadline': (plan) => altered(plan, { deadline: 2n ** 256n - 1n }),
  'other words': (plan) => altered(plan, { metadata: '0x7b7d' }),
  'another order': (plan) => signed(plan, [...plan.publications].reverse()),
  'one signed of two': (plan) => signed(plan, plan.publications.slice(0, 1)),
}

/** Code of the owner's account while the plan is submitted. */
const WALLETS: Readonly<Record<string, Hex>> = {
  'a wallet that burns all gas': '0x5b5f56',
  'a wallet that reverts': '0x5f5ffd',
  'a wallet that returns zeros': '0x60205ff3',
  'a wallet that returns megabytes': '0x6230d4005ff3',
  'a wallet that is an invalid opcode': '0xfe',
}

/** Everything but the signature. */
const REQUESTS: Readonly<Record<string, (plan: Plan) => Promise<unknown>>> = {
  'two signed, the first submitted': (plan) => submit(plan, { items: plan.items.slice(0, 1) }),
  'two signed, the second submitted': (plan) => submit(plan, { items: plan.items.slice(1) }),
  'one signed as a publication by itself': async (plan) => {
    const signature = await plan.owner.signTypedData(publicationTypedData(plan.publications[0]!, domain()))
    return submit(plan, { items: plan.items.slice(0, 1), signature })
  },
  'an item twice': (plan) => submit(plan, { items: [...plan.items, plan.items[0]!] }),
  'no item': (plan) => submit(plan, { items: [] }),
  'an item that was never prepared': (plan) =>
    submit(plan, { items: [...plan.items, { ...plan.items[0]!, name: 'never' }] }),
  'a thousand items': (plan) =>
    submit(plan, { items: Array.from({ length: 1000 }, (_, n) => ({ ...plan.items[0]!, name: `n${n}` })) }),
  'an item of another content hash': (plan) =>
    submit(plan, { items: [{ ...plan.items[0]!, contentHash: `0x${'33'.repeat(32)}` }] }),
  "another account's plan": (plan) => submit(plan, { caller: lower(stranger.address) }),
  'a plan without a caller': (plan) => submit(plan, { caller: undefined }),
  'the sponsor as the owner': (plan) => submit(plan, { caller: lower(sponsor.address), signature: '0x' }),
  'publication switched off': (plan) => submit(plan, { config: { publicationEnabled: false } }),
  'no sponsor': (plan) => submit(plan, { sponsor: { key: undefined } }),
  'a used-up budget': (plan) => submit(plan, { sponsor: { perDay: 1n } }),
  'a used-up budget of the account': (plan) => submit(plan, { sponsor: { perAccount: 1n } }),
  'a used-up budget of the client address': (plan) =>
    submit(plan, { client: '203.0.113.7', sponsor: { perClient: 1n } }),
  'a sponsor without funds': (plan) => submit(plan, { sponsor: { key: generatePrivateKey() } }),
  'a name that was taken meanwhile': (plan) =>
    inBranch(async () => {
      await fund(plan.owner.address, ETHER)
      await network.publish('transformation', plan.items[0]!.name, plan.owner)
      await submit(plan)
    }),
  'an expired plan': (plan) =>
    inBranch(async () => {
      const { deadline } = plan.publications[0]!
      await network.chain.rpc('evm_setNextBlockTimestamp', [Number(deadline) + 1])
      await network.chain.rpc('evm_mine', [])
      await submit(plan)
    }),
}

const ABUSES: readonly (readonly [string, (plan: Plan) => Promise<unknown>])[] = [
  ...Object.entries(SIGNATURES).map(
    ([name, make]) => [name, async (plan: Plan) => submit(plan, { signature: await make(plan) })] as const,
  ),
  ...Object.entries(WALLETS).map(
    ([name, code]) =>
      [
        name,
        (plan: Plan) =>
          inBranch(async () => {
            await network.chain.rpc('anvil_setCode', [plan.owner.address, code])
            await submit(plan, { signature: `0x${'11'.repeat(80)}` })
          }),
      ] as const,
  ),
  ...Object.entries(REQUESTS),
]

const REFUSED = expect.stringMatching(
  /^(invalid_request|conflict|registry_conflict|unauthenticated|publication_disabled)$/,
)

describe('nothing is paid for', () => {
  let plan: Plan
  let balance: bigint
  beforeAll(async () => {
    plan = await newPlan(2)
    balance = await network.chain.publicClient.getBalance({ address: sponsor.address })
  })

  test.each(ABUSES)('%s', async (_, abuse) => {
    await expect(abuse(plan)).rejects.toMatchObject({ name: 'Failure', code: REFUSED })
  })

  test('all of them left the sponsor and the registry as they were; the same plan, signed, is published', async () => {
    const { publicClient } = network.chain
    expect(ABUSES.length).toBeGreaterThanOrEqual(50)
    expect(await publicClient.getBalance({ address: sponsor.address })).toBe(balance)
    expect(await publicClient.getTransactionCount({ address: sponsor.address })).toBe(0)
    expect((await readSponsorAccount(contextFor(undefined)))?.transactions).toBe(0)
    const receipt = await publicClient.waitForTransactionReceipt({ hash: await submit(plan) })
    expect(receipt.status).toBe('success')
    for (const { kind, name } of plan.items) {
      const entry = await registryEntry(await verifiedChain(network.api.services), kind, name)
      expect(entry?.owner).toBe(lower(plan.owner.address))
    }
  })
})

describe('what is paid for', () => {
  const spent = async () => {
    const account = await readSponsorAccount(contextFor(undefined))
    return { ...account, total: account!.spent + account!.reserved }
  }

  /** Runs while nothing is mined. */
  const unmined = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await network.chain.rpc('evm_setAutomine', [false])
    try {
      return await work()
    } finally {
      await network.chain.rpc('evm_mine', [])
      await network.chain.rpc('evm_setAutomine', [true])
    }
  }

  test('once: the same plan again is the same transaction, also many times at once', async () => {
    const plan = await newPlan()
    const before = await network.chain.publicClient.getTransactionCount({ address: sponsor.address })
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => submit(plan)))
    const hashes = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(new Set(hashes).size).toBe(1)
    expect(await submit(plan)).toBe(hashes[0])
    const after = await network.chain.publicClient.getTransactionCount({ address: sponsor.address })
    expect(after - before).toBe(1)
    const acts = await network.api.db.sql`
      select actor, act, reason from audit_log where subject = ${hashes[0] ?? ''}`
    expect(acts).toEqual([
      {
        actor: lower(sponsor.address),
        act: 'sponsor_publication',
        reason: expect.stringMatching(new RegExp(`^1 of ${lower(plan.owner.address)}, at most \\d+ wei$`)),
      },
    ])
  })

  test('one at a time for an owner; each for itself for others', async () => {
    const [plan, other] = [await newPlan(), await newPlan()]
    const next = await newPlan(1, plan.owner)
    const [first, second] = await unmined(async () => {
      const hash = await submit(plan)
      await expect(submit(next)).rejects.toMatchObject({ code: REFUSED })
      return [hash, await submit(other)] as const
    })
    for (const hash of [first, second]) {
      const receipt = await network.chain.publicClient.waitForTransactionReceipt({ hash })
      expect(receipt.status).toBe('success')
    }
    // It was prepared with the nonce that is used now.
    await expect(submit(next)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('never beyond the budget, however many ask at once', async () => {
    const plans: Plan[] = []
    for (let index = 0; index < 6; index++) plans.push(await newPlan())
    const { total } = await spent()
    let limit = 0n
    const answers = await unmined(async () => {
      await submit(plans[0]!)
      const reserved = (await spent()).total - total
      const perDay = total + (reserved * 7n) / 2n
      limit = perDay
      return Promise.allSettled(
        plans.slice(1).map(async (plan) => {
          for (;;) {
            try {
              return await submit(plan, { sponsor: { perDay } })
            } catch (error) {
              // Reserved one at a time.
              if ((error as { code?: string }).code !== 'overloaded') throw error
            }
          }
        }),
      )
    })
    const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : []))
    expect(refused).toHaveLength(3)
    expect(refused[0]).toContain('used up until midnight (UTC). A wallet can pay for it itself;')
    expect((await spent()).total).toBeLessThanOrEqual(limit)
  })

  test('a wallet that answers differently in the block costs its reservation at most, and only once a day', async () => {
    const plan = await newPlan()
    const { address } = plan.owner
    const { total } = await spent()
    await network.chain.rpc('anvil_setCode', [address, '0x631626ba7e60e01b5f5260205ff3'])
    const { hash, reserved } = await unmined(async () => {
      const hash = await submit(plan, { signature: `0x${'11'.repeat(80)}` })
      await network.chain.rpc('anvil_setCode', [address, '0x5b5f56'])
      return { hash, reserved: (await spent()).total - total }
    })
    const receipt = await network.chain.publicClient.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('reverted')
    await network.chain.rpc('anvil_setCode', [address, '0x'])
    await expect(submit(await newPlan(1, plan.owner))).rejects.toThrow('failed on the chain today')
    const { total: after, reverted } = await spent()
    expect(reverted).toBe(1)
    expect(after - total).toBeLessThanOrEqual(reserved)
  })

  /** Another account publishes the same name, for a higher fee. */
  const overtake = async ({ publications }: Plan): Promise<Address> => {
    const thief = privateKeyToAccount(generatePrivateKey())
    const owner = lower(thief.address)
    await fund(thief.address, ETHER)
    const serializedTransaction = await thief.signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      nonce: 0,
      gas: 2_000_000n,
      maxFeePerGas: 10n ** 12n / 4n,
      maxPriorityFeePerGas: 10n ** 11n,
      to: network.chain.registry,
      data: encodePublish({ ...publications[0]!, owner, nonce: 0n }),
    })
    await network.chain.publicClient.sendRawTransaction({ serializedTransaction })
    return owner
  }

  test('a name that another account publishes first costs no account its sponsorship', async () => {
    const { sql } = network.api.db
    const plan = await newPlan()
    const [hash, thief] = await unmined(async () => [await submit(plan), await overtake(plan)] as const)
    const receipt = await network.chain.publicClient.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('reverted')
    const next = await newPlan(1, plan.owner)
    await expect(submit(next)).rejects.toThrow('failed on the chain today')
    // As the worker indexes it.
    const [item] = plan.items
    await sql`
      insert into entities (kind, name, owner, address, content_hash, metadata_hash, block_number, block_hash, tx_hash,
        tx_index, log_index)
      values (${item!.kind}, ${item!.name}, ${thief}, '0x', ${item!.contentHash}, '0x', 1, '0x', '0x', 0, 0)`
    await expect(submit(next)).resolves.toMatch(/^0x/)
  })

  test('a name that a waiting transaction publishes is noticed before it is paid for', async () => {
    const plan = await newPlan()
    const before = (await spent()).total
    await unmined(async () => {
      await overtake(plan)
      await expect(submit(plan)).rejects.toMatchObject({ code: 'registry_conflict' })
    })
    // What others cost may have become less meanwhile: it replaces what was reserved.
    expect((await spent()).total).toBeLessThanOrEqual(before)
  })

  test('a transaction whose client left is settled, and holds up nobody', async () => {
    await network.chain.publicClient.waitForTransactionReceipt({ hash: await submit(await newPlan()) })
    const later = new Date(Date.now() + 6 * 60_000)
    const ctx = { ...contextFor(undefined), clock: () => later }
    expect(await isSponsored(ctx, undefined, 1n)).toBe(false)
    await settlePending(ctx)
    expect(await isSponsored(ctx, undefined, 1n)).toBe(true)
    expect((await readSponsorAccount(ctx))?.reserved).toBe(0n)
  })

  test('a transaction that the node lost is sent again', async () => {
    const plan = await newPlan()
    const hash = await unmined(async () => {
      const sent = await submit(plan)
      await network.chain.rpc('anvil_dropTransaction', [sent])
      return sent
    })
    await submit(await newPlan())
    const receipt = await network.chain.publicClient.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
  })
})
