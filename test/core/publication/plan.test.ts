import { zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Address } from '#lib/protocol/entity.ts'
import type { PlanAnswer, PublicationsAnswer } from '#lib/server/operations/studio/publication.ts'
import { type Endpoints, endpointsOf, messageOf, SITE } from '#test/support/api.ts'
import { waitForProjection } from '#test/support/wait-for-projection.ts'
import { devAccount, type Network, startNetwork } from './network.ts'

let network: Network
let studio: Endpoints
const [owner, stranger] = [devAccount(1), devAccount(2)]

beforeAll(async () => {
  network = await startNetwork({ config: { siteOrigin: SITE } })
  network.startWorker()
  studio = endpointsOf('studio', network.api.services)
})
afterAll(() => network?.close())

function connector(name: string, calls: readonly string[]) {
  return {
    name,
    dimensions: [
      { transformations: calls.map((call) => ({ name: call, args: [1] })), composite: '', bindings: {} },
    ],
    condition_name: '',
    condition_args: [],
    static_ri: {},
  }
}
function body(name: string, sol_src = 'return x + args[0];') {
  return { kind: 'transformation', name, sol_src }
}

function ask(json: object, by = studio) {
  return by.post<PlanAnswer>('/publication-plan', json)
}

async function items(sent: object) {
  const { status, json } = await ask({ connectors: [], bodies: [], ...sent })
  expect(status, JSON.stringify(json)).toBe(200)
  if (json.outcome !== 'planned') throw new Error(JSON.stringify(json))
  return json.items
}

function address(account: { address: string }) {
  return account.address.toLowerCase() as Address
}

describe('the plan of an unsaved document', () => {
  test('lists everything once, each after what it needs', async () => {
    const found = await items({
      kind: 'connector',
      name: 'order_top',
      connectors: [
        connector('order_top', ['order_b', 'order_a', 'order_b']),
        connector('order_unused', ['order_a']),
      ],
      bodies: [body('order_a'), body('order_b', 'return x * 2 + args[0];'), body('order_unused')],
    })
    expect(found.map(({ name }) => name)).toEqual(['order_b', 'order_a', 'order_top'])
    for (const item of found) {
      expect(item).toMatchObject({ entry: null, in_document: true, draft_owner: null })
      expect(Number(item.gas)).toBeGreaterThan(100_000)
    }
  })

  test('lists for each entity what its results depend on, including its parts', async () => {
    const found = await items({
      kind: 'connector',
      name: 'traits_top',
      connectors: [connector('traits_top', ['traits_plain', 'traits_timed', 'traits_calling'])],
      bodies: [
        body('traits_plain'),
        body('traits_timed', 'return x + args[0] + uint32(block.timestamp);'),
        body('traits_calling', 'assembly { x := staticcall(gas(), x, 0, 0, 0, 0) } return x + args[0];'),
      ],
    })
    const input = { depends_on: 'input', reads: [], calls: false }
    const timed = { depends_on: 'block', reads: ['TIMESTAMP'], calls: false }
    const calling = { depends_on: 'surroundings', reads: ['GAS', 'STATICCALL'], calls: true }
    expect(Object.fromEntries(found.map(({ name, traits }) => [name, traits]))).toEqual({
      traits_plain: input,
      traits_timed: timed,
      traits_calling: calling,
      traits_top: { depends_on: 'surroundings', reads: ['TIMESTAMP', 'GAS', 'STATICCALL'], calls: true },
    })
  })

  test('lists what is already published, what is taken, and whose drafts are used', async () => {
    await network.draftTransformation('plan_known', owner)
    await network.publish('transformation', 'plan_known', owner)
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'plan_known' })
    await network.draftTransformation('plan_draft', stranger)
    const found = await items({
      kind: 'connector',
      name: 'plan_top',
      account: owner.address,
      connectors: [connector('plan_top', ['plan_known', 'plan_draft'])],
    })
    expect(found).toMatchObject([
      {
        name: 'plan_known',
        in_document: false,
        entry: { owner: address(owner), content_hash: found[0]?.content_hash },
      },
      { name: 'plan_draft', in_document: false, entry: null, draft_owner: address(stranger) },
      { name: 'plan_top', in_document: true, entry: null },
    ])

    // The document's own definition goes before what is published, and differs from it.
    const [own] = await items({
      kind: 'transformation',
      name: 'plan_known',
      bodies: [body('plan_known', 'return x - args[0];')],
    })
    expect(own?.entry?.owner).toBe(address(owner))
    expect(own?.entry?.content_hash).not.toBe(own?.content_hash)
    const [same] = await items({ kind: 'transformation', name: 'plan_known', bodies: [body('plan_known')] })
    expect(same?.entry?.content_hash).toBe(same?.content_hash)
  })

  test('does not descend below what is published', async () => {
    await network.draftTransformation('below_step', owner)
    await network.draftConnector('below_inner', ['below_step'], owner)
    for (const [kind, name] of [
      ['transformation', 'below_step'],
      ['connector', 'below_inner'],
    ] as const) {
      await network.publish(kind, name, owner)
      await waitForProjection(network.api.services, { kind, name })
    }
    const outer = {
      ...connector('below_top', []),
      dimensions: [{ transformations: [], composite: 'below_inner', bindings: {} }],
    }
    const found = await items({ kind: 'connector', name: 'below_top', connectors: [outer] })
    expect(found.map(({ name }) => name)).toEqual(['below_inner', 'below_top'])

    // What the document defines itself is listed all the same.
    const own = await items({
      kind: 'connector',
      name: 'below_inner',
      connectors: [connector('below_inner', ['below_step'])],
      bodies: [body('below_step')],
    })
    expect(own.map(({ name, entry, content_hash }) => [name, entry?.content_hash === content_hash])).toEqual([
      ['below_step', true],
      ['below_inner', true],
    ])
  })

  test('returns the problems of the document instead', async () => {
    const broken = {
      kind: 'connector',
      name: 'wrong_top',
      connectors: [connector('wrong_top', ['wrong_step'])],
    }
    const cases: [object, string][] = [
      [{ ...broken, bodies: [] }, 'wrong_step'],
      [{ ...broken, bodies: [body('wrong_step', 'return x +;')] }, 'does not compile'],
      [
        { kind: 'transformation', name: 'wrong_none', connectors: [], bodies: [] },
        'There is no transformation',
      ],
    ]
    for (const [sent, expected] of cases) {
      const { status, json } = await ask(sent)
      expect(status).toBe(200)
      expect(json.outcome).toBe('invalid')
      expect(JSON.stringify(json)).toContain(expected)
    }
  })
})

test('without a chain, or with publication disabled, the plan reports it', async () => {
  const { services } = network.api
  const sent = { kind: 'transformation', name: 'x_step', connectors: [], bodies: [body('x_step')] }
  const without = endpointsOf('studio', { ...services, chain: undefined })
  expect((await ask(sent, without)).status).toBe(503)
  const config = { ...services.config, publicationEnabled: false }
  const off = endpointsOf('studio', { ...services, config })
  expect((await ask(sent, off)).status).toBe(403)
})

test('publications are listed to their owner only', async () => {
  await network.draftTransformation('listed_step', owner)
  await network.prepare('transformation', 'listed_step', owner)
  const { listPublications } = await import('#lib/core/entities/publication/records.ts')
  const mine: readonly Partial<PublicationsAnswer['publications'][number]>[] = (
    await listPublications(network.api.services, address(owner))
  ).map(({ name, stage }) => ({ name, stage }))
  expect(mine).toContainEqual({ name: 'listed_step', stage: 'prepared' })
  expect(await listPublications(network.api.services, address(stranger))).toEqual([])
})

describe('POST_publishConfirm', () => {
  const confirm = (name: string, content_hash: string, tx_hash: string, account = owner) =>
    network.post('/publish/transformation', { name, content_hash, tx_hash }, account)

  test('400: another content hash, another name, another owner, no event, a reverted transaction', async () => {
    await network.draftTransformation('judged', owner)
    const { content_hash } = await network.prepare('transformation', 'judged', owner)
    const { tx_hash } = await network.publish('transformation', 'judged', owner)
    expect((await confirm('judged', `0x${'12'.repeat(32)}`, tx_hash)).status).toBe(400)
    expect((await confirm('neighbour', content_hash, tx_hash)).status).toBe(400)
    expect((await confirm('judged', content_hash, tx_hash, stranger)).status).toBe(400)

    const wallet = network.chain.wallet(1)
    const plain = await wallet.sendTransaction({ to: stranger.address, value: 1n })
    await network.chain.publicClient.waitForTransactionReceipt({ hash: plain })
    expect(messageOf(await confirm('unseen', zeroHash, plain))).toMatch(/registered nothing/)

    const reverted = await wallet.sendTransaction({
      to: network.chain.registry,
      data: '0xdeadbeef',
      gas: 100_000n,
    })
    await network.chain.publicClient.waitForTransactionReceipt({ hash: reverted })
    const answer = await confirm('unseen', zeroHash, reverted)
    expect(answer).toMatchObject({ status: 400, json: { tx_hash: reverted } })
    expect(messageOf(answer)).toMatch(/reverted/)
  })

  test('400: malformed hashes. Input takes hashes without 0x and in upper case', async () => {
    for (const bad of ['', '0x', '0x12', 7, null]) {
      expect((await confirm('judged', bad as string, zeroHash)).status).toBe(400)
      expect((await confirm('judged', zeroHash, bad as string)).status).toBe(400)
    }
    expect((await confirm('unseen', 'AB'.repeat(32), 'CD'.repeat(32))).status).toBe(202)
  })
})
