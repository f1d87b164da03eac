import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { closeServices, createServices } from '#lib/core/context/services.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig, chainEnvironment } from '#test/support/chain-config.ts'
import { testConfig } from '#test/support/config.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { ownPort } from '#test/support/own-port.ts'
import { parseExposition, seriesValue } from '../metrics/exposition.ts'
import { askReadiness, askStatus } from './pages.ts'

const LAG_SECONDS = 1
const READY_LAG_SECONDS = 3
const pollOptions = { interval: 100 }

let chain: TestChain
let db: TestDatabase
let site: Services
let port: number
const workers = new Set<ChildProcess>()

beforeAll(async () => {
  ;[chain, db, port] = await Promise.all([testChain(), createTestDatabase(), ownPort()])
  const base = testConfig()
  site = await createServices({
    ...base,
    databaseUrl: db.url,
    ...chainConfig(chain),
    worker: { ...base.worker, lagLimitSeconds: LAG_SECONDS },
    readyLagLimitSeconds: READY_LAG_SECONDS,
  })
})
afterEach(() => Promise.all([...workers].map(kill)))
afterAll(async () => {
  await closeServices(site)
  await Promise.all([db.close(), chain.close()])
})

function startWorker(env: Readonly<Record<string, string>> = {}): ChildProcess {
  const worker = spawn(process.execPath, ['worker/main.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...chainEnvironment(chain, db.url),
      WORKER_PORT: String(port),
      ...env,
    },
  })
  workers.add(worker)
  return worker
}

async function kill(worker: ChildProcess): Promise<void> {
  workers.delete(worker)
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const ended = once(worker, 'exit')
  worker.kill('SIGKILL')
  await ended
}

function ask(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`)
}
async function statusOf(path: string): Promise<number> {
  return (await ask(path).catch(() => undefined))?.status ?? 0
}
async function health(): Promise<string> {
  return (await askStatus(site)).body.status
}

test('the worker serves its own health pages', async () => {
  startWorker()
  await expect.poll(() => statusOf('/readyz'), pollOptions).toBe(200)
  expect(await (await ask('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await ask('/healthz')).headers.get('Cache-Control')).toBe('no-store')
  expect(await statusOf('/')).toBe(404)
  await expect
    .poll(async () => {
      const series = parseExposition(await (await ask('/metrics')).text())
      return ['starting', 'writer', 'standby'].map((role) =>
        seriesValue(series, 'weft_worker_role', { role }),
      )
    }, pollOptions)
    .toEqual([0, 1, 0])
  await expect
    .poll(
      async () => seriesValue(parseExposition(await (await ask('/metrics')).text()), 'weft_feed_lag_blocks'),
      pollOptions,
    )
    .toBe(0)
  const series = parseExposition(await (await ask('/metrics')).text())
  expect(seriesValue(series, 'process_resident_memory_bytes')).toBeGreaterThan(0)
})

test('a killed worker causes lag and unreadiness beyond the limit, until a new one runs', async () => {
  const first = startWorker()
  await expect.poll(health, pollOptions).toBe('healthy')
  await kill(first)
  await chain.rpc('anvil_mine', ['0x3'])
  await expect
    .poll(async () => (await askStatus(site)).body.degraded, pollOptions)
    .toContainEqual({
      code: 'lagging',
      sentence: expect.stringMatching(/^The feed is 3 blocks and \d+ seconds behind the chain\.$/),
      fix: expect.any(String),
    })
  await expect.poll(async () => (await askReadiness(site)).status, pollOptions).toBe(503)
  const { body } = await askReadiness(site)
  expect(body.checks.find(({ ok }) => !ok)).toMatchObject({
    name: 'projection',
    sentence: expect.stringMatching(/^The projection is \d+ seconds behind the chain; the limit is 3\.$/),
  })

  startWorker()
  await expect.poll(health, pollOptions).toBe('healthy')
  await expect.poll(async () => (await askReadiness(site)).status, pollOptions).toBe(200)
})

test('nothing public names the key in the address of a node that fails', async () => {
  const secret = 'k3y-0f-the-n0de'
  startWorker({ CHAIN_RPC_URL: `http://127.0.0.1:1/${secret}` })
  await expect.poll(() => statusOf('/healthz'), pollOptions).toBe(200)
  await chain.rpc('anvil_mine', ['0x1'])
  await expect
    .poll(async () => (await askStatus(site)).body.degraded.map(({ code }) => code), pollOptions)
    .toContain('lagging')
  const answers = await Promise.all(
    ['/readyz', '/metrics', '/status.json'].map(async (path) => (await ask(path)).text()),
  )
  const shown = JSON.stringify([await askStatus(site), await askReadiness(site), answers])
  expect(shown).toContain('degraded')
  expect(shown).not.toContain(secret)
})

test('a worker whose port is taken still follows the chain, and reports it', async () => {
  const stranger = createServer().listen(port, '127.0.0.1')
  await once(stranger, 'listening')
  try {
    const worker = startWorker()
    let log = ''
    worker.stdout?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
    await expect.poll(() => log, pollOptions).toContain('change WORKER_PORT, or free the port')
    await chain.rpc('anvil_mine', ['0x1'])
    await expect.poll(health, pollOptions).toBe('healthy')
  } finally {
    stranger.close()
  }
})
