import { setTimeout as sleep } from 'node:timers/promises'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { reconnectDelay } from '#lib/platform/db/connect.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { until } from '#test/support/until.ts'

// These hold because of the driver's patch, see `docs/upstream/postgres.md`. An error that cannot be caught would end
// the process; vitest fails the run of this file for it.

let db: TestDatabase
let own: Database
beforeEach(async () => {
  db = await createTestDatabase()
  own = createDatabase(db.url, { max: 1 })
})
afterEach(async () => {
  await own.close()
  await db.close()
})

/** Ends the session of a transaction, as a restart of the server does. */
async function endSession(tx: TransactionSql): Promise<void> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  const pid = row?.pid ?? 0
  const living = () => db.sql`select pg_terminate_backend(pid) from pg_stat_activity where pid = ${pid}`
  while ((await living()).length > 0) await sleep(1)
}

test.each([0, 1, 50])(
  'a session that dies in a transaction fails it and nothing else, %i ms on',
  async (ms) => {
    const transaction = own.sql.begin(async (tx) => {
      await endSession(tx)
      await sleep(ms)
      await tx`select 1`
    })
    await expect(transaction).rejects.toThrow()
    expect(await own.sql`select 1 as one`).toEqual([{ one: 1 }])
  },
)

test('statements of a transaction after its connection is lost are not run outside of it', async () => {
  await own.sql`create table said (what text)`
  const transaction = own.sql.begin(async (tx) => {
    await endSession(tx)
    await sleep(50)
    // A concurrent statement makes the pool reconnect.
    await own.sql`select 1`
    await tx`insert into said values ('too late')`
  })
  await expect(transaction).rejects.toThrow()
  await sleep(200)
  expect(await own.sql`select * from said`).toEqual([])
})

test('a statement that comes while a connection dies is answered', async () => {
  const wire = await startTcpProxy(Number(new URL(db.url).port))
  const far = createDatabase(wire.through(db.url), { max: 1 })
  // Without parameters, so that more than one is under way.
  const ask = () => far.sql`select 1 as one`
  for (let round = 0; round < 10; round++) {
    await ask().catch(ask)
    // A failed statement is retried at once, on the connection that is still closing.
    const asked = Array.from({ length: 3 }, () => ask().catch(ask).catch(ask))
    wire.reset()
    for (const rows of await Promise.allSettled(asked)) {
      if (rows.status === 'rejected') expect(rows.reason).toMatchObject({ code: expect.any(String) })
      else expect(rows.value).toEqual([{ one: 1 }])
    }
  }
  await far.close()
  await wire.close()
})

describe('a connection that is lost in the turn of the event loop in which a statement comes', () => {
  let wire: TcpProxy
  let far: Sql
  beforeEach(async () => {
    wire = await startTcpProxy(Number(new URL(db.url).port))
    // Without drizzle, which has the driver leave dates as they are.
    far = postgres(wire.through(db.url), { max: 1, backoff: reconnectDelay })
    await far`create table said (what text, at timestamptz)`
  })
  afterEach(async () => {
    await far.end({ timeout: 1 })
    await wire.close()
  })

  const say = (sql: Sql | TransactionSql) =>
    sql`insert into said values (${'hello'}, ${new Date(0)}) returning what, at::text`
  const said = () => db.sql`select what, at = to_timestamp(0) as as_given from said`

  /** Sends from a timer: the loss is read after it and before what was buffered is written. */
  const inTurnOf = <T>(loss: () => void, send: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      setTimeout(() => {
        loss()
        send().then(resolve, reject)
      })
    })

  test.each(['cut', 'reset'] as const)('is not noticed, when it is %s: nothing was sent yet', async (how) => {
    // Prepared by then, so that its parameters are part of what is buffered.
    await say(far)
    await db.sql`delete from said`
    for (let round = 0; round < 20; round++) await inTurnOf(wire[how], () => say(far))
    expect(await said()).toEqual(Array(20).fill({ what: 'hello', as_given: true }))
  })

  test('is not noticed by a transaction that begins', async () => {
    await far`select 1`
    for (let round = 0; round < 20; round++) await inTurnOf(wire.cut, () => far.begin(say))
    expect(await said()).toHaveLength(20)
  })

  test('fails the statement of a transaction under way', async () => {
    const transaction = far.begin(async (tx) => {
      await tx`select 1`
      await inTurnOf(wire.cut, () => say(tx))
    })
    await expect(transaction).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await said()).toEqual([])
  })
})

test('a statement that was sent and not answered is not repeated', async () => {
  const wire = await startTcpProxy(Number(new URL(db.url).port))
  const far = createDatabase(wire.through(db.url), { max: 1 })
  await far.sql`create sequence turns`
  await far.sql`select nextval('turns')`
  // Longer than this test may take: what was cut off would run to its end otherwise.
  const turn = far.sql`select nextval('turns'), pg_sleep(60)`
  turn.catch(() => {})
  await until('it runs', async () => {
    const rows = await db.sql`
      select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
    return rows.length === 1
  })
  wire.cut()
  await expect(turn).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await far.sql`select nextval('turns')::int as turn`).toEqual([{ turn: 3 }])
  await far.close()
  await wire.close()
})

test('a cursor whose connection is lost while the caller has a row fails', async () => {
  const wire = await startTcpProxy(Number(new URL(db.url).port))
  const far = createDatabase(wire.through(db.url), { max: 1 })
  const rows = far.sql`select n from generate_series(1, 3) n`.cursor(1, async () => {
    wire.cut()
    await sleep(50)
  })
  await expect(rows).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await far.sql`select 1 as one`).toEqual([{ one: 1 }])
  await far.close()
  await wire.close()
})

test('a statement that is prepared again after a migration stores its original parameters', async () => {
  const plain = postgres(db.url, { max: 1 })
  await plain`create table notes (note jsonb)`
  const store = () => plain`insert into notes values (${plain.json({ a: 1 })}) returning *`
  await store()
  await plain`alter table notes add column more integer`
  await store()
  expect(await plain`select note from notes`).toEqual([{ note: { a: 1 } }, { note: { a: 1 } }])
  await plain.end()
})

test('transactions begin also where many statements are under way', async () => {
  const options = { max: 1, max_pipeline: 1 }
  const narrow = postgres(db.url, options)
  await narrow`select 1`
  const begin = () => narrow.begin((tx) => tx`select 1 as one`)
  const answers = await Promise.all([narrow`select 1 as one`.execute(), begin(), begin()])
  expect(answers).toEqual(Array(3).fill([{ one: 1 }]))
  await narrow.end()
})

test('a driver without the patch is refused', () => {
  const driver = postgres as unknown as { patch: number | undefined }
  const { patch } = driver
  driver.patch = undefined
  expect(() => createDatabase(db.url)).toThrow('the database driver is not patched: run npm ci')
  driver.patch = patch
})
