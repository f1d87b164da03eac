import postgres, { type Sql } from 'postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  connectDatabase,
  type DatabaseConnection,
  type DatabaseOrder,
  REFUSAL_CODE,
} from './database-connection.ts'

let db: TestDatabase
let connection: DatabaseConnection
let sql: Sql
/** Orders for the statements that contain these words. */
let orders: Record<string, DatabaseOrder>

beforeEach(async () => {
  orders = {}
  db = await createTestDatabase()
  connection = await connectDatabase(db.url, db.sql, async (what) => {
    return Object.entries(orders).find(([words]) => what.includes(words))?.[1] ?? 'pass'
  })
  sql = postgres(connection.url, { max: 1, onnotice: () => {} })
  await sql`create table rows (n int)`
})
afterEach(async () => {
  await sql.end({ timeout: 1 })
  await connection.close()
  await db.close()
})

function insert(n: number) {
  return sql`insert into rows values (${n})`
}
async function stored() {
  return (await db.sql<{ n: number }[]>`select n from rows order by n`).map(({ n }) => n)
}

test.each(['prepared', 'new'])('a %s statement that is refused in a pipeline fails alone', async (kind) => {
  const refused = (n: number) => sql`select ${n}::int as refused`
  await insert(1)
  if (kind === 'prepared') await refused(1)
  orders = { refused: 'error' }
  const results = await Promise.allSettled([insert(2), refused(2), insert(3)])
  expect(results.map((each) => (each.status === 'rejected' ? each.reason.code : 'done'))).toEqual([
    'done',
    REFUSAL_CODE,
    'done',
  ])
  expect(await stored()).toEqual([1, 2, 3])
})

test('a refused statement ends its transaction on the server', async () => {
  await insert(1)
  orders = { refused: 'error' }
  const after: unknown[] = []
  const transaction = sql.begin(async (tx) => {
    const results = await Promise.allSettled([tx`select 1 as refused`, tx`insert into rows values (${2})`])
    after.push(...results.map((each) => each.status === 'rejected' && each.reason.code))
  })
  await expect(transaction).rejects.toMatchObject({ code: REFUSAL_CODE })
  expect(after).toEqual([REFUSAL_CODE, '25P02'])
  expect(await stored()).toEqual([1])
})

test('a statement of a pipeline has run when the connection is cut after it', async () => {
  const pause = () => sql`select pg_sleep(${0.1})`
  const slow = (n: number) => sql`insert into rows select ${n}::int from pg_sleep(${0.3}) as slow`
  await Promise.all([pause(), slow(1)])
  orders = { slow: 'cut after' }
  const results = await Promise.allSettled([pause(), slow(2)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await stored()).toEqual([1, 2])
})
