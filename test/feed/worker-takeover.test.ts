import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readFeedStatus } from '../../lib/feed/read-status.ts'
import { startIndexer } from '../../lib/indexer/indexer.ts'
import { writerLockHolder } from '../../lib/platform/db/advisory-locks.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { waitForProjection } from '../support/wait-for-projection.ts'
import { outbox } from './projection.ts'
import { spawnWorker } from './worker-process.ts'

const owner = devAccount(0)
const children: ChildProcess[] = []
let network: Network

beforeEach(async () => {
  network = await startNetwork()
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGCONT')
    child.kill('SIGKILL')
  }
  await network?.close()
})

async function startProcess(env: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
  const child = spawnWorker(network, env)
  children.push(child)
  await until(
    'the process writes',
    async () => (await writer())?.instance.includes(`:${child.pid}:`) === true,
  )
  return child
}

function status() {
  return readFeedStatus(network.api.services)
}
async function writer() {
  return (await status()).writer
}

const LOOK_MS = 100

/**
 * How long until the standby writes, in milliseconds, less what turns of the event loop with one query each were late
 * by meanwhile: the standby is in this process, on the same busy machine.
 */
async function takeover(standby: { status(): { role: string } }): Promise<number> {
  const began = performance.now()
  let late = 0
  await until('taken over', async () => {
    const asked = performance.now()
    await Promise.all([network.api.db.sql`select 1`, sleep(LOOK_MS)])
    late += performance.now() - asked - LOOK_MS
    return standby.status().role === 'writer'
  })
  return performance.now() - began - late
}

async function publishAndSee(name: string): Promise<void> {
  await network.draftTransformation(name, owner)
  await network.publish('transformation', name, owner)
  await waitForProjection(network.api.services, { kind: 'transformation', name })
}

test('a standby takes over within 10 s of a kill -9, and nothing is lost or repeated', async () => {
  const first = await startProcess()
  await publishAndSee('first')
  const { worker: standby } = network.startWorker()
  await until('standing by', async () => (await status()).standbys === 1)
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect(await takeover(standby)).toBeLessThan(10_000)
  await publishAndSee('second')
  expect(await outbox(network.api.db)).toEqual([
    { seq: 1, name: 'first', status: 'observed' },
    { seq: 2, name: 'second', status: 'observed' },
  ])
  await until('the new one is known', async () => (await writer())?.instance === standby.status().instance)
})

test('a standby takes over from a stopped writer, which writes nothing after SIGCONT', async () => {
  const first = await startProcess()
  const { worker: standby } = network.startWorker()
  await until('standing by', () => standby.status().role === 'standby')
  first.kill('SIGSTOP')
  expect(await takeover(standby)).toBeLessThan(10_000)
  await publishAndSee('meanwhile')
  first.kill('SIGCONT')
  await until('it stands by', async () => {
    const rows = await network.api.db.sql`select 1 from worker_instances where role = 'standby'`
    return rows.length === 1
  })
  await publishAndSee('later')
  expect((await outbox(network.api.db)).map(({ seq, name }) => [seq, name])).toEqual([
    [1, 'meanwhile'],
    [2, 'later'],
  ])
  expect((await writer())?.instance).toBe(standby.status().instance)
})

function blockedFor(milliseconds: number) {
  return {
    NODE_OPTIONS: `--import ${import.meta.dirname}/block-event-loop.ts`,
    BLOCK_MS: String(milliseconds),
  }
}

test('a writer whose event loop is blocked for 9 s retains its lock and heartbeat', async () => {
  const first = await startProcess(blockedFor(9_000))
  const { worker: standby } = network.startWorker()
  await until('standing by', () => standby.status().role === 'standby')
  first.kill('SIGUSR2')
  const gaps: number[] = []
  for (const end = performance.now() + 9_500; performance.now() < end; await sleep(200)) {
    const now = await writer()
    expect(now?.instance).toContain(`:${first.pid}:`)
    gaps.push(now?.heartbeatAgoMs ?? Number.POSITIVE_INFINITY)
  }
  expect(Math.max(...gaps)).toBeLessThan(5_000)
  expect(standby.status().role).toBe('standby')
  await publishAndSee('afterwards')
})

test('a standby takes over from a writer whose event loop stays blocked', async () => {
  const first = await startProcess(blockedFor(120_000))
  const { worker: standby } = network.startWorker()
  await until('standing by', () => standby.status().role === 'standby')
  first.kill('SIGUSR2')
  expect(await takeover(standby)).toBeLessThan(40_000)
  await publishAndSee('meanwhile')
})

test('a standby takes over when the connection of the writer hangs', async () => {
  const url = new URL(network.api.db.url)
  const wire = await startTcpProxy(Number(url.port))
  const ending = new AbortController()
  const { services } = network.api
  const first = startIndexer(
    { ...services, config: { ...services.config, databaseUrl: wire.through(url.href) } },
    { signal: ending.signal },
  )
  try {
    await until('writing', () => first.status().role === 'writer')
    const { worker: standby } = network.startWorker()
    await until('standing by', () => standby.status().role === 'standby')
    wire.freeze()
    expect(await takeover(standby)).toBeLessThan(10_000)
    await publishAndSee('meanwhile')
    wire.thaw()
    await until('it stands by', () => first.status().role === 'standby')
    expect(await outbox(network.api.db)).toHaveLength(1)
  } finally {
    ending.abort()
    await first.done
    await wire.close()
  }
})

test('a stopped writer releases its lock at once, deletes its row, and is replaced', async () => {
  const first = network.startWorker()
  await until('writing', () => first.worker.status().role === 'writer')
  const { worker: standby } = network.startWorker()
  await until('standing by', async () => (await status()).standbys === 1)
  const [before] = await writerLockHolder(network.api.db.sql)
  await first.stop()
  const [after] = await writerLockHolder(network.api.db.sql)
  expect(before).toBeDefined()
  expect(after).not.toEqual(before)
  await until('taken over', () => standby.status().role === 'writer')
  const instances = () => network.api.db.sql`select instance from worker_instances`
  await expect.poll(instances).toEqual([{ instance: standby.status().instance }])
})
