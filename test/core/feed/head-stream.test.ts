import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HeadStream, openHeadStream } from '#lib/core/indexer/head-stream.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { testConfig } from '#test/support/config.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { until } from '#test/support/until.ts'
import { waitForProjection } from '#test/support/wait-for-projection.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'
import { atHead } from './projection.ts'

/** Longer than an answer takes on a busy machine. */
const IDLE_TIMEOUT_MS = 2_500

let chain: TestChain
let wire: TcpProxy
let ending: AbortController

beforeEach(async () => {
  chain = await testChain()
  wire = await startTcpProxy(Number(new URL(chain.url).port))
  ending = new AbortController()
})
afterEach(async () => {
  ending.abort()
  await wire.close()
  await chain.close()
})

function wsUrl() {
  return wire.through(chain.url).replace(/^http/, 'ws')
}
function mine() {
  return chain.rpc('anvil_mine', ['0x1'])
}

function open(idleTimeoutMs?: number): { heads: HeadStream; losses: string[] } {
  const losses: string[] = []
  const heads = openHeadStream(wsUrl(), {
    signal: ending.signal,
    onLost: (reason) => losses.push(reason),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
  })
  return { heads, losses }
}

/** Tells whether the next announcement comes before a time that none takes. */
async function announced(heads: HeadStream, cause: () => Promise<unknown>): Promise<boolean> {
  await heads.next(0)
  const next = heads.next(40_000).then(() => true)
  await cause()
  return Promise.race([next, sleep(30_000, false)])
}

test('a new head ends the wait, also one that arrived before the wait', async () => {
  const { heads } = open()
  await until('live', () => heads.live)
  expect(await announced(heads, mine)).toBe(true)
  const waited = async (ms: number) => {
    const began = performance.now()
    await heads.next(ms)
    return performance.now() - began
  }
  expect(await waited(100)).toBeGreaterThan(90)
  await mine()
  await sleep(500)
  expect(await waited(60_000)).toBeLessThan(30_000)
  expect(await waited(100)).toBeGreaterThan(90)
})

test('a lost connection is reported, ends the wait, and is reopened', async () => {
  const { heads, losses } = open()
  await until('live', () => heads.live)
  expect(await announced(heads, async () => wire.cut())).toBe(true)
  expect(losses).toHaveLength(1)
  await until('live again', () => heads.live)
  expect(await announced(heads, mine)).toBe(true)
})

test('a hanging connection is detected and closed', async () => {
  const { heads, losses } = open(IDLE_TIMEOUT_MS)
  await until('live', () => heads.live)
  // Quiet, but alive: it responds to requests.
  await sleep(2.2 * IDLE_TIMEOUT_MS)
  expect(losses).toEqual([])
  wire.freeze()
  await until('given up', () => !heads.live)
  expect(losses).toEqual(['it does not answer'])
  wire.thaw()
  await until('live again', () => heads.live)
})

test('a node without subscriptions, or without a WebSocket, is polled', async () => {
  wire.leadTo(1)
  const { heads, losses } = open()
  await until('refused', () => losses.length > 0)
  expect(heads.live).toBe(false)
  const none = openHeadStream(undefined, { signal: ending.signal, onLost: () => {} })
  const began = performance.now()
  await none.next(50)
  expect(performance.now() - began).toBeGreaterThan(40)
})

test('the worker indexes announced blocks at once, and others by polling', async () => {
  const owner = devAccount(0)
  const start = (pollMs: number, chainWsUrl: string): Promise<Network> =>
    startNetwork({ chain, config: { chainWsUrl, worker: { ...testConfig().worker, pollMs } } })
  const announcing = await start(600_000, wsUrl())
  const polling = await start(25, 'ws://127.0.0.1:1')
  try {
    const { worker } = announcing.startWorker()
    const second = polling.startWorker()
    await until('announced', () => worker.status().headsAnnounced)
    expect(second.worker.status().headsAnnounced).toBe(false)
    await announcing.draftTransformation('add', owner)
    await announcing.publish('transformation', 'add', owner)
    for (const network of [announcing, polling]) {
      await waitForProjection(network.api.services, { kind: 'transformation', name: 'add' })
    }
    wire.cut()
    await mine()
    await until('read although the announcement was lost', () => atHead(announcing))
    await until('announced again', () => worker.status().headsAnnounced)
    await chain.rpc('anvil_reorg', [2, []])
    await until('taken back', () => atHead(announcing))
  } finally {
    await Promise.all([announcing.close(), polling.close()])
  }
})
