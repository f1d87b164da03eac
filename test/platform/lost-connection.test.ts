import { setTimeout as sleep } from 'node:timers/promises'
import type { TransactionSql } from 'postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../lib/db/client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

// `scripts/patch-postgres.ts` is why these hold. An error that nobody can catch would end the process; vitest fails
// the run of this file for it.

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

test('what a transaction still says after its connection is lost is not said outside of it', async () => {
  await own.sql`create table said (what text)`
  const transaction = own.sql.begin(async (tx) => {
    await endSession(tx)
    await sleep(50)
    // Somebody else makes the pool connect anew.
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
    // Whose statement fails asks at once again, on the connection that is not quite gone.
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
