import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'

/** Longer than a connection and an answer take on a busy machine. */
const TIMEOUT_MS = 1_500

let db: TestDatabase
let wire: TcpProxy
let own: Database
beforeEach(async () => {
  db = await createTestDatabase()
  wire = await startTcpProxy(Number(new URL(db.url).port))
  own = createDatabase(wire.through(db.url), {
    max: 2,
    statementTimeoutMs: TIMEOUT_MS,
    idleTimeoutMs: TIMEOUT_MS,
  })
})
afterEach(async () => {
  await own.close()
  await wire.close()
  await db.close()
})

const timedOut = { code: 'QUERY_TIMEOUT' }
/** Error of a transaction: its connection is gone when it rolls back. */
const lost = { code: 'CONNECTION_CLOSED' }

test('a statement whose answer never comes fails, and the pool serves again', async () => {
  expect(await own.sql`select 1 as one`).toEqual([{ one: 1 }])
  wire.freeze()
  await expect(own.sql`select 2 as two`).rejects.toMatchObject(timedOut)
  wire.thaw()
  expect(await own.sql`select 3 as three`).toEqual([{ three: 3 }])
})

test('a transaction that stands still fails, with what comes after', async () => {
  const transaction = own.sql.begin(async (tx) => {
    await tx`select 1`
    wire.freeze()
    await tx`select 2`
  })
  await expect(transaction).rejects.toMatchObject(lost)
  wire.thaw()
  expect(await own.sql`select 3 as three`).toEqual([{ three: 3 }])
})

test('a statement that waits for a lock fails, and the pool serves again', async () => {
  const release = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holder = db.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7)`
    held.resolve()
    await release.promise
  })
  await held.promise
  await expect(own.sql.begin((tx) => tx`select pg_advisory_xact_lock(7)`)).rejects.toMatchObject(lost)
  expect(await own.sql`select 1 as one`).toEqual([{ one: 1 }])
  release.resolve()
  await holder
})

test('a statement whose rows continue to arrive may take longer', async () => {
  const rows = own.sql`select n from generate_series(1, 6) n, lateral (select pg_sleep(0.1 + n * 0)) s`
  await expect(rows.cursor(1, () => {})).resolves.toBeDefined()
})

test('the time that a caller takes between the rows of a cursor does not count', async () => {
  const seen: unknown[] = []
  for await (const [row] of own.sql`select n from generate_series(1, 2) n`.cursor(1)) {
    seen.push(row?.n)
    await sleep(2 * TIMEOUT_MS)
  }
  expect(seen).toEqual([1, 2])
})

test('a statement that times out fails alone: the others run on the other connection', async () => {
  const holder = await db.sql.reserve()
  await holder`select pg_advisory_lock(7)`
  const blocked = own.sql`select pg_advisory_lock(7)`.then(
    () => 'locked',
    (error) => error.code,
  )
  const others = await Promise.all(Array.from({ length: 20 }, () => own.sql`select 1 as one`))
  expect(others).toHaveLength(20)
  expect(await blocked).toBe('QUERY_TIMEOUT')
  holder.release()
})

test('a connection that the server never closes releases its place in the pool', async () => {
  const single = createDatabase(wire.through(db.url), { max: 1, idleTimeoutMs: 50 })
  await single.sql`select 1`
  wire.strand()
  await sleep(200)
  expect(await single.sql`select 2 as two`).toEqual([{ two: 2 }])
  await single.close()
})

test('unused connections are closed', async () => {
  await own.sql`select 1`
  const [before] = await db.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'weft' and datname = current_database()
      and pid <> pg_backend_pid()`
  expect(before).toBeDefined()
  await expect
    .poll(() => db.sql`select pid from pg_stat_activity where pid = ${before?.pid ?? 0}`)
    .toEqual([])
  expect(await own.sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('a statement fails where a pooler accepts connections for a server that is away', async () => {
  const server = createServer((socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const elsewhere = createDatabase(`postgres://weft@127.0.0.1:${port}/weft`, { max: 1 })
  await expect(elsewhere.sql`select 1`).rejects.toMatchObject(lost)
  await elsewhere.close()
  server.close()
})
