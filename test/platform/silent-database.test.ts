import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../lib/db/client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

const PATIENCE_MS = 300

let db: TestDatabase
let wire: TcpProxy
let own: Database
beforeEach(async () => {
  db = await createTestDatabase()
  wire = await startTcpProxy(Number(new URL(db.url).port))
  own = createDatabase(wire.through(db.url), { max: 2, patienceMs: PATIENCE_MS })
})
afterEach(async () => {
  await own.close()
  await wire.close()
  await db.close()
})

const lost = { code: 'CONNECTION_CLOSED' }

test('a statement whose answer never comes fails, and the pool serves again', async () => {
  expect(await own.sql`select 1 as one`).toEqual([{ one: 1 }])
  wire.freeze()
  await expect(own.sql`select 2 as two`).rejects.toMatchObject(lost)
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

test('a lock that is not given back holds nobody up for ever', async () => {
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

test('a statement that takes its time, and says so, is let be', async () => {
  const rows = own.sql`select n from generate_series(1, 6) n, lateral (select pg_sleep(0.1 + n * 0)) s`
  await expect(rows.cursor(1, () => {})).resolves.toBeDefined()
})

test('connections that nobody uses end unnoticed', async () => {
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

test('what takes connections for a server that is away makes a statement fail, not wait', async () => {
  const server = createServer((socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const elsewhere = createDatabase(`postgres://weft@127.0.0.1:${port}/weft`, { max: 1 })
  await expect(elsewhere.sql`select 1`).rejects.toMatchObject(lost)
  await elsewhere.close()
  server.close()
})
