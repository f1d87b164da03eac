import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { closeServices, createServices } from '#lib/core/context/services.ts'
import { type RunningIndexer, startIndexer } from '#lib/core/indexer/indexer.ts'
import type { Config } from '#lib/platform/config.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig } from '#test/support/chain-config.ts'
import { testConfig } from '#test/support/config.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { startTcpProxy } from '#test/support/tcp-proxy.ts'
import { PATIENCE_MS } from '#test/support/until.ts'
import { askReadiness, askStatus } from './pages.ts'

// Reasons that other tests of the status and the feed do not produce.

const pollOptions = { interval: 200 }
const NOBODY = `0x${'0'.repeat(39)}9` as const

let chain: TestChain
let db: TestDatabase
const opened: Services[] = []

beforeAll(async () => {
  ;[chain, db] = await Promise.all([testChain(), createTestDatabase()])
})
afterAll(async () => {
  await Promise.all(opened.map(closeServices))
  await Promise.all([db?.close(), chain?.close()])
})

function base(): Config {
  return {
    ...testConfig(),
    databaseUrl: db.url,
    ...chainConfig(chain),
    worker: { ...testConfig().worker, pollMs: 25 },
  }
}

/** New services, so that cached results are not reused. */
async function site(config: Partial<Config> = {}): Promise<Services> {
  const services = await createServices({ ...base(), ...config })
  opened.push(services)
  return services
}

async function worker(
  config: Partial<Config> = {},
): Promise<{ running: RunningIndexer; stop: () => Promise<void> }> {
  const ending = new AbortController()
  const running = startIndexer(await site(config), { signal: ending.signal })
  return {
    running,
    stop: async () => {
      ending.abort()
      await running.done
    },
  }
}

/** Waits until the status has this reason, and checks that it is one sentence and a fix. */
async function says(services: Services, code: string, sentence: RegExp, fix: RegExp): Promise<void> {
  const found = async () => (await askStatus(services)).body.degraded.find((each) => each.code === code)
  const reason = await vi.waitUntil(found, { interval: 200, timeout: PATIENCE_MS })
  expect(reason).toEqual({
    code,
    sentence: expect.stringMatching(sentence),
    fix: expect.stringMatching(fix),
  })
  for (const text of [reason.sentence, reason.fix]) expect(text).toMatch(/^[A-Z0-9].*\.$/)
}

test('no worker, another chain, and a wrong registry address', async () => {
  await says(await site(), 'not_started', /^No worker/, /npm run worker/)
  const other = await site({ chainId: 31_338 })
  await says(other, 'wrong_chain', /serves chain 31337, not chain 31338/, /CHAIN_RPC_URL/)
  expect((await askStatus(other)).body.feed?.lag_blocks).toBeNull()
  const lost = await worker({ registryAddress: NOBODY })
  await says(await site(), 'chain_unavailable', /^No registry contract at 0x0/, /REGISTRY_ADDRESS/)
  await lost.stop()
})

test('a full database, and one that refuses writes for another reason', async () => {
  const { running, stop } = await worker()
  await expect.poll(() => running.status().state?.processedBlock ?? -1, pollOptions).toBeGreaterThan(0)
  const refuse = (code: string) =>
    db.sql.unsafe(`
      create or replace function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'refused' using errcode = '${code}'; end $$;
      create or replace trigger refuse before insert on chain_blocks execute function refuse()`)
  await refuse('53100')
  await chain.rpc('anvil_mine', ['0x1'])
  const services = await site()
  await says(services, 'disk_full', /^The disk of the database is full\.$/, /disk of PostgreSQL/)
  await refuse('P0001')
  await says(services, 'cannot_write', /rejects what was read/, /logs of the worker and of PostgreSQL/)
  await db.sql`drop trigger refuse on chain_blocks`
  await expect.poll(async () => (await askStatus(services)).body.status, pollOptions).toBe('healthy')
  await stop()
  await says(await site(), 'no_writer', /^No worker is running/, /npm run worker/)
})

test('a node whose subscription to new heads is down', async () => {
  const { stop } = await worker({ chainWsUrl: 'ws://127.0.0.1:1' })
  await says(await site(), 'heads_silent', /subscription to new blocks is down/, /CHAIN_WS_URL/)
  await stop()
})

test('a read-only database, and a slow one', async () => {
  const [row] = await db.sql<{ name: string }[]>`select current_database() as name`
  const set = (value: string) =>
    db.sql.unsafe(`alter database "${row?.name}" set default_transaction_read_only = ${value}`)
  await set('on')
  await says(await site(), 'database_read_only', /read-only/, /DATABASE_URL/)
  await set('off')

  const wire = await startTcpProxy(Number(new URL(db.url).port))
  const services = await site({ databaseUrl: wire.through(db.url) })
  await askStatus(services)
  // Enough connections, so that none has to be made over the slow wire.
  await Promise.all(Array.from({ length: 10 }, () => services.db.sql`select pg_sleep(0.05)`))
  wire.slow(270)
  await says(services, 'database_slow', /took \d{3,4} ms/, /network to it/)
  // It answers: requests are slow, and served.
  const checked = async () =>
    (await askReadiness(services)).body.checks.find(({ name }) => name === 'database')?.ok
  await expect.poll(checked, pollOptions).toBe(true)
  wire.slow(0)
  await closeServices(services)
  await wire.close()
})

test('a database that was not migrated', async () => {
  const old = await createTestDatabase()
  await old.sql`delete from __drizzle_migrations where id = (select max(id) from __drizzle_migrations)`
  await says(await site({ databaseUrl: old.url }), 'migrations_pending', /lacks a migration/, /db:migrate/)
  await old.close()
})

test('refused work', async () => {
  const full = { timeoutMs: 10_000, threads: 1, maxQueue: 0 }
  const services = await site({ bundleCheck: full })
  const checks = [1, 2].map(() =>
    services.bundles.check(makeBundle()).then(
      () => 'checked',
      (error: Error) => error.message,
    ),
  )
  expect(await Promise.all(checks)).toEqual(['checked', expect.stringMatching(/^Too many bundles/)])
  await says(services, 'bundleCheck_full', /^Checks of bundles were refused/, /BUNDLE_CHECK_THREADS/)

  const streaming = await site({ streams: { maxReaders: 1, maxOfClient: 10 } })
  const dispatch = createChainDispatcher({ services: async () => streaming })
  const stream = await dispatch(new Request('http://localhost/chain/feed/stream'))
  const reader = stream.body?.getReader()
  await reader?.read()
  await says(streaming, 'streams_full', /^All 1 streams of the feed/, /MAX_STREAMS/)
  await reader?.cancel()

  const closed = await site({ publicationEnabled: false })
  await says(closed, 'publication_disabled', /^Publication is switched off/, /PUBLICATION_ENABLED/)
})
