import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { Random } from '#test/suites/simulation/random.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { drawn, SEED } from '#test/support/slice.ts'

const REQUESTS = drawn(500)
const LANES = 20
const IDLE_MS = 25

const UPLOAD = 'x'.repeat(100_000)

let db: TestDatabase
let pools: readonly Database[]
beforeEach(async () => {
  db = await createTestDatabase()
  await db.sql`create table uploads (lane integer, n integer, body text)`
  pools = Array.from({ length: LANES }, () => createDatabase(db.url, { max: 1, idleTimeoutMs: IDLE_MS }))
})
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  await db.close()
})

/** Sends a statement whenever its connection is about to idle out, ± 2 ms. */
async function request({ sql }: Database, lane: number, random: Random): Promise<void> {
  for (let n = 0; n < REQUESTS / LANES; n++) {
    if (n % 3 === 0) await sql`select 1`
    else if (n % 3 === 1) await sql`insert into uploads values (${lane}, ${n}, ${UPLOAD})`
    else await sql.begin((tx) => tx`select count(*) from uploads where lane = ${lane}`)
    await sleep(IDLE_MS - 2 + random.between(0, 4))
  }
}

test('requests around the moment at which connections idle out are all answered', async () => {
  const random = new Random(SEED)
  await Promise.all(pools.map((pool, lane) => request(pool, lane, random)))
  const [rows] =
    await db.sql`select count(*)::int as count, count(distinct (lane, n))::int as distinct from uploads`
  const uploads = LANES * Math.floor((REQUESTS / LANES + 1) / 3)
  expect(rows).toEqual({ count: uploads, distinct: uploads })
})
