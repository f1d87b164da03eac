import { concatHex as concat, keccak256, numberToHex, stringToHex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { encodePublish, PUBLISH_SELECTOR } from '../../lib/chain/publication-calldata.ts'
import { codeContentHash } from '../../lib/protocol/content-hash.ts'
import type { Hex } from '../../lib/protocol/entity.ts'
import { type Network, startNetwork } from '../publication/network.ts'
import { type TestChain, testChain } from '../support/chain.ts'
import { define } from '../support/definitions.ts'
import { until } from '../support/until.ts'
import {
  type Announcement,
  deployOpenRegistry,
  type OpenRegistry,
  OWNER,
  transformation,
} from './open-registry.ts'
import { atHead, expectEqualToFreshIndex, outbox } from './projection.ts'

/** Returns 0 to every call. */
const ZERO: Hex = '0x5f5f5260205ff3'
const SELF_DESTRUCT: Hex = '0x33ff'

let chain: TestChain
let registry: OpenRegistry
let network: Network

beforeEach(async () => {
  chain = await testChain({ slotsInAnEpoch: 32 })
  registry = await deployOpenRegistry(chain)
  const followed = { ...chain, registry: registry.address, deploymentBlock: registry.deploymentBlock }
  network = await startNetwork({ chain: followed })
})
afterEach(async () => {
  await network?.close()
  await chain?.close()
})

/**
 * How long the worker works to the head, and at most without a pause, in milliseconds of this thread's processor
 * time: on a busy machine wall-clock time includes other processes.
 */
async function follow(): Promise<{ worked: number; blocked: number }> {
  const began = threadMs()
  let [before, blocked] = [began, 0]
  const timer = setInterval(() => {
    const now = threadMs()
    blocked = Math.max(blocked, now - before)
    before = now
  }, 5)
  network.startWorker()
  await until('at head', () => atHead(network), 60_000)
  clearInterval(timer)
  return { worked: threadMs() - began, blocked }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

async function entities() {
  return (await network.api.db.sql`select name from entities order by name`).map(({ name }) => name)
}
async function unverified() {
  return (await network.api.db.sql`select name, reason from unverified_publications order by name`).map(
    ({ name, reason }) => `${name}: ${reason}`,
  )
}
async function get(path: string) {
  return (await network.api.call('GET', path)).status
}

test('a self-destructed entity and its dependents are unverified; others are published', async () => {
  const ghost = transformation('ghost', SELF_DESTRUCT)
  const honest = transformation('honest', ZERO)
  const over = registry.connector(
    define({ name: 'over', dimensions: [{ transformations: [{ name: 'ghost' }] }] }),
    [ghost.artifact],
  )
  const beside = registry.connector(
    define({ name: 'beside', dimensions: [{ transformations: [{ name: 'honest' }] }] }),
    [honest.artifact],
  )
  await registry.mine(registry.calldata([{ ...ghost, called: true }, honest, over, beside]))
  await follow()
  expect(await entities()).toEqual(['beside', 'honest'])
  expect(await unverified()).toEqual(['ghost: missing_code', 'over: unverified_dependency'])
  expect((await outbox(network.api.db)).map(({ name }) => name)).toEqual(['honest', 'beside'])
  expect(await get('/transformation/honest')).toBe(200)
  expect(await get('/connector/beside')).toBe(200)
  for (const path of ['/transformation/ghost', '/connector/over']) {
    const answer = await network.api.call('GET', path)
    expect(answer).toMatchObject({ status: 404, body: { message: expect.stringContaining('registered') } })
    expect(await network.api.call('HEAD', path)).toMatchObject({ status: 404 })
  }
  await expectEqualToFreshIndex(network)
})

test('a wrong content hash is unverified, and large argument counts are read from the registry', async () => {
  const wide = transformation('wide', ZERO, 257)
  const other: Announcement = { ...transformation('other', ZERO), contentHash: `0x${'11'.repeat(32)}` }
  const noise: Announcement = {
    kind: 'connector',
    name: 'noise',
    runtime: ZERO,
    contentHash: `0x${'22'.repeat(32)}`,
  }
  await registry.mine(registry.calldata([wide, other, noise]))
  await follow()
  expect(await entities()).toEqual(['wide'])
  expect(await unverified()).toEqual(['noise: content_mismatch', 'other: content_mismatch'])
  expect(await network.api.call('GET', '/transformation/wide')).toMatchObject({ body: { args_count: 257 } })
})

function word(value: number | bigint | Hex): Hex {
  return typeof value === 'string'
    ? `0x${value.slice(2).padStart(64, '0')}`
    : numberToHex(value, { size: 32 })
}

/** Calldata that claims to publish an entity `count` times, each time with the same costly payload. */
function decodeBombs(event: Announcement, count: number): Hex {
  const claim: Hex[] = [word(1), word(0x100), word(OWNER), event.contentHash, word(0), word(2n ** 40n)]
  const name = concat([word(event.name.length), stringToHex(event.name, { size: 32 })])
  const headSize = 4 + 0x40 + 0x100 + 0x40
  const heads = Array.from({ length: count }, (_, i): Hex => {
    const toPayload = headSize * (count - i) - 4 - 0x40
    const offsets = [word(toPayload), word(toPayload)]
    return concat([PUBLISH_SELECTOR, word(0x40), word(toPayload + 0x40), ...claim, ...offsets, name])
  })
  const text = 50_000
  const dimension = concat([word(0x60), word(0x60), word(0x60), word(0)])
  const payload: Hex = concat([
    ...[word(0x20), word(0x80), word(0x80 + 32 + 380 * 32 + 128), word(0), word(0)],
    ...[word(380), ...Array.from({ length: 380 }, () => word(380 * 32)), dimension],
    ...[word(text), `0x${'61'.repeat(text)}` as const],
  ])
  return concat([...heads, word((payload.length - 2) / 2), payload])
}

test('calldata that only resembles publications costs nothing', async () => {
  const bombs = Array.from({ length: 12 }, (_, i) => {
    const event = { ...transformation(`bomb${i}`, ZERO), metadataHash: keccak256('0x61') }
    return registry.calldata([event], decodeBombs(event, 60))
  })
  await registry.mine(...bombs)
  const { worked, blocked } = await follow()
  expect(await entities()).toHaveLength(12)
  expect(blocked).toBeLessThan(200)
  expect(worked).toBeLessThan(10_000)
})

test('many events of one transaction full of false publications are read once', async () => {
  const events = Array.from({ length: 32 }, (_, i) => ({
    ...transformation(`many${i}`, ZERO),
    metadataHash: keccak256(stringToHex(`words ${i}`)),
  }))
  const decoy = (event: Announcement) =>
    encodePublish({
      kind: event.kind,
      name: event.name,
      owner: OWNER,
      contentHash: event.contentHash,
      nonce: 0n,
      deadline: 2n ** 40n,
      payload: '0x',
      metadata: '0x61',
    })
  const decoys = Array.from({ length: 250 }, (_, i) => decoy(events[i % events.length]!))
  await registry.mine(registry.calldata(events, concat(decoys)))
  const { worked, blocked } = await follow()
  expect(await entities()).toHaveLength(32)
  expect(blocked).toBeLessThan(200)
  expect(worked).toBeLessThan(10_000)
})

test('blocks of 128 publications with 125 KB of calldata each are read to the head, in a catch-up too', async () => {
  const trailing: Hex = `0x${'ab'.repeat(125_000)}`
  for (let block = 0; block < 2; block++) {
    const calls = Array.from({ length: 128 }, (_, i) => {
      const name = `large_${block}_${i}`
      return registry.calldata([{ ...transformation(name, ZERO), metadataHash: keccak256('0x61') }], trailing)
    })
    await registry.mine(...calls)
  }
  const { blocked } = await follow()
  expect(await entities()).toHaveLength(256)
  expect(blocked).toBeLessThan(200)
})

test('codes too large for one answer are read in several', async () => {
  const runtime = (i: number): Hex =>
    `0x5f5f5260205ff3${i.toString(16).padStart(4, '0')}${'00'.repeat(24_000)}`
  const all = Array.from({ length: 260 }, (_, i) => transformation(`code${i}`, runtime(i)))
  for (const one of all) {
    expect(one.contentHash).toBe(codeContentHash('transformation', one.name, 0, one.runtime))
  }
  const calls = Array.from({ length: 65 }, (_, i) => registry.calldata(all.slice(i * 4, i * 4 + 4)))
  await registry.mine(...calls)
  const { blocked } = await follow()
  expect(await entities()).toHaveLength(260)
  expect(blocked).toBeLessThan(200)
})
