import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { define } from '#test/support/definitions.ts'
import { until } from '#test/support/until.ts'
import { type Network, startNetwork } from '../publication/network.ts'
import { type Announcement, deployOpenRegistry, type OpenRegistry, transformation } from './open-registry.ts'
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
 * Time that the worker works to the head, and at most without a pause, in milliseconds of this thread's processor
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
  await until('at head', () => atHead(network))
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
  return (await network.api.send('GET', path)).status
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
    const answer = await network.api.send('GET', path)
    expect(answer).toMatchObject({ status: 404, json: { message: expect.stringContaining('registered') } })
    expect(await network.api.send('HEAD', path)).toMatchObject({ status: 404 })
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
  expect(await network.api.send('GET', '/transformation/wide')).toMatchObject({ json: { args_count: 257 } })
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
  const { worked, blocked } = await follow()
  expect(await entities()).toHaveLength(260)
  // In parts, between which the worker answers others.
  expect(blocked).toBeLessThan(worked / 3)
})
