import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodePublish, NO_METADATA } from '../../lib/chain/publication-calldata.ts'
import type { Context } from '../../lib/context/context.ts'
import type { BuiltArtifact, CodeArtifact } from '../../lib/protocol/artifact.ts'
import { codeContentHash } from '../../lib/protocol/content-hash.ts'
import { buildConnector } from '../../lib/protocol/creation-checks.ts'
import type { Address, EntityKind, Hex } from '../../lib/protocol/entity.ts'
import { encodePayload } from '../../lib/protocol/payload.ts'
import { connectorView, entityView } from '../../lib/views/entity.ts'
import { devAccount } from '../support/chain.ts'
import { type ConnectorSketch, define } from '../support/definitions.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

/* What the registry accepts and creation through this server refuses, published past the server. */

/** Legal names of the registry that are words of Solidity or properties of every object. */
const NAMES = [
  'uint8',
  'constructor',
  'function',
  'bytes32',
  'msg',
  'toString',
  '__proto__',
  'hasOwnProperty',
  '_',
]

let stack: TestStack
let ctx: Context
let runtimes: { transformation: Hex; condition: Hex }
const published = new Map<string, BuiltArtifact>()
let nonce = 0n

function lookup(kind: EntityKind, name: string) {
  return published.get(`${kind}/${name}`)
}

async function publish(artifact: BuiltArtifact): Promise<void> {
  const wallet = stack.chain.wallet(3)
  const hash = await wallet.sendTransaction({
    to: stack.chain.registry,
    data: encodePublish({
      kind: artifact.kind,
      name: artifact.name,
      owner: wallet.account.address.toLowerCase() as Address,
      contentHash: artifact.contentHash,
      metadata: NO_METADATA,
      nonce: nonce++,
      deadline: 2n ** 40n,
      payload: encodePayload(artifact),
    }),
  })
  const { status } = await stack.chain.publicClient.waitForTransactionReceipt({ hash })
  expect(status, `${artifact.kind} ${artifact.name}`).toBe('success')
  published.set(`${artifact.kind}/${artifact.name}`, artifact)
}

async function publishCode(kind: 'transformation' | 'condition', name: string, argsCount = 0): Promise<void> {
  const runtime = runtimes[kind]
  await publish({
    kind,
    name,
    argsCount,
    runtime,
    contentHash: codeContentHash(kind, name, argsCount, runtime),
  })
}

async function publishConnector(sketch: ConnectorSketch): Promise<void> {
  await publish(buildConnector(define(sketch), lookup))
}

beforeAll(async () => {
  stack = await startTestStack()
  const token = await stack.token(devAccount(4).address.toLowerCase() as Address)
  const runtimeOf = async (kind: string, body: string) => {
    const made = await stack.call('POST', `/${kind}`, { token, body: { name: 'base', sol_src: body } })
    expect(made.status).toBe(201)
    const [row] = await stack.db.sql<{ body: CodeArtifact }[]>`
      select body from artifacts where kind = ${kind} and name = 'base'`
    return row?.body.runtime as Hex
  }
  runtimes = {
    transformation: await runtimeOf('transformation', 'return x + 1;'),
    condition: await runtimeOf('condition', 'return true;'),
  }
  for (const name of NAMES) {
    await publishCode('transformation', name)
    await publishCode('condition', name)
    await publishConnector({
      name,
      dimensions: [{ transformations: [{ name }] }, { transformations: [{ name }] }],
      condition_name: name,
    })
  }
  for (const count of [257, 1000, 4_294_967_295]) {
    await publishCode('transformation', `takes_${count}`, count)
    await publishCode('condition', `takes_${count}`, count)
  }
  const args = (count: number) => Array.from({ length: count }, (_, i) => i)
  await publishConnector({
    name: 'many_args',
    dimensions: [{ transformations: [{ name: 'takes_257', args: args(257) }] }],
    condition_name: 'takes_1000',
    condition_args: args(1000).map((i) => -i),
  })
  await publishConnector({
    name: 'over_strange',
    dimensions: [
      { composite: 'uint8', bindings: { 0: 'constructor', 1: '__proto__' } },
      { composite: 'many_args' },
    ],
  })
  await stack.projected()
  ctx = {
    ...stack.services,
    requestId: 'test',
    caller: undefined,
    session: undefined,
    signal: AbortSignal.timeout(60_000),
  }
})
afterAll(() => stack?.close())

const KINDS = ['transformation', 'condition', 'connector'] as const
function owner() {
  return stack.chain.wallet(3).account.address.slice(2).toLowerCase()
}

describe.each(NAMES)('an entity called %s', (name) => {
  test.each(KINDS)('%s: is read, and found to exist', async (kind) => {
    const read = await stack.call('GET', `/${kind}/${name}`)
    expect(read.status).toBe(200)
    expect(read.body).toMatchObject({ name, owner: owner(), address: expect.stringMatching(/^0x\w{40}$/) })
    expect((await stack.call('HEAD', `/${kind}/${name}`)).status).toBe(200)
  })

  test('runs by simulation and on chain, with the same particles', async () => {
    const body = { connector_name: name, particles_count: 3 }
    const simulated = await stack.call('POST', '/simulate', { body })
    expect([simulated.status, simulated.body]).toEqual([200, expect.any(Array)])
    const executed = await stack.call('POST', '/execute', { body })
    expect(executed.status).toBe(200)
    expect((executed.body as { particles: unknown }).particles).toEqual(simulated.body)
  })

  test('is a part that a new connector may name, and not a name for a new entity', async () => {
    const token = await stack.token(devAccount(5).address.toLowerCase() as Address)
    const over = `over_${name}`
    const body = {
      name: over,
      dimensions: [{ transformations: [{ name }] }, { transformations: [], composite: name }],
      condition_name: name,
    }
    const made = await stack.call('POST', '/connector', { token, body })
    expect([made.status, made.body]).toEqual([201, expect.anything()])
    expect(
      (await stack.call('POST', '/simulate', { body: { connector_name: over, particles_count: 2 } })).status,
    ).toBe(200)
    const taken = await stack.call('POST', '/transformation', { token, body: { name, sol_src: 'return x;' } })
    // The name of an object's property is no word of Solidity: it is only taken.
    expect([400, 409]).toContain(taken.status)
  })
})

describe('counts of arguments that no body of this server has', () => {
  test.each([257, 1000, 4_294_967_295])('%i arguments are read', async (count) => {
    for (const kind of ['transformation', 'condition']) {
      const { status, body } = await stack.call('GET', `/${kind}/takes_${count}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ args_count: count })
    }
    expect((await entityView(ctx, 'transformation', `takes_${count}`))?.entity?.argsCount).toBe(count)
  })

  test.each(['many_args', 'over_strange'])('connector %s over them is read and runs', async (name) => {
    expect((await stack.call('GET', `/connector/${name}`)).status).toBe(200)
    expect(await connectorView(ctx, name)).toBeDefined()
    const body = { connector_name: name, particles_count: 2 }
    const simulated = await stack.call('POST', '/simulate', { body })
    expect(simulated.status).toBe(200)
    const executed = await stack.call('POST', '/execute', { body })
    expect((executed.body as { particles: unknown }).particles).toEqual(simulated.body)
  })
})

test('all of it is in the lists and in the feed', async () => {
  const account = await stack.call('GET', `/account/${owner()}?limit=256`)
  expect(account.status).toBe(200)
  const lists = account.body as Record<string, string[]>
  for (const kind of KINDS) expect(lists[`owned_${kind}s`]).toEqual(expect.arrayContaining(NAMES))
  const feed = await stack.call('GET', '/feed?limit=256')
  expect(feed.status).toBe(200)
  const names = (feed.body as { items: { payload: { name: string } }[] }).items.map(
    ({ payload }) => payload.name,
  )
  expect(names).toEqual(expect.arrayContaining(NAMES))
  const { format_hash: hash } = (await stack.call('GET', '/connector/uint8')).body as { format_hash: string }
  expect((await stack.call('GET', `/format/${hash}?limit=256&after=toString`)).status).toBe(200)
})

test('a legal name that is not registered is not found, and text that is no name is invalid', async () => {
  for (const kind of KINDS) {
    for (const name of ['uint16', 'contract', 'valueOf', 'view']) {
      expect((await stack.call('GET', `/${kind}/${name}`)).status).toBe(404)
      expect((await stack.call('HEAD', `/${kind}/${name}`)).status).toBe(404)
    }
    for (const name of ['1a', 'a-b', '%20', 'é', 'a'.repeat(129)]) {
      expect((await stack.call('GET', `/${kind}/${name}`)).status, name).toBe(400)
    }
  }
})
