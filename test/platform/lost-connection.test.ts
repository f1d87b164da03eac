import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../lib/db/client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

// An error that nobody can catch would end the process; vitest fails the run of this file for it.

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

test.each([0, 1, 50])(
  'a session that dies in a transaction fails it and nothing else, %i ms on',
  async (ms) => {
    const transaction = own.sql.begin(async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      await db.sql`select pg_terminate_backend(${row!.pid})`
      await sleep(ms)
      await tx`select 1`
    })
    await expect(transaction).rejects.toThrow()
    await sleep(50)
    expect(await own.sql`select 1 as one`).toEqual([{ one: 1 }])
  },
)
