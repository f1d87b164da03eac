import { afterAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { drawn, SEED } from '#test/support/slice.ts'
import { startAudit } from './audit.ts'
import { emptyDatabase } from './oracle.ts'
import { type Report, SHORT, simulate } from './simulate.ts'

/** Histories, long and short; the short ones one after the other in one database. */
const LONG = seeds(drawn(3))
const SHORTS = seeds(drawn(10))
/** Last events shown of a history that went wrong. */
const TRACE = Number(process.env.SIMULATION_TRACE ?? 30)

function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, i) => SEED + i)
}

/** Whatever the node, the database and the scheduler do, the worker ends with the tables and the deltas of the chain. */
function expectWell({ problems, trace, counts }: Report): void {
  if (process.env.SIMULATION_COUNTS) console.log(JSON.stringify(counts))
  expect(problems, [JSON.stringify(counts), ...trace.slice(-TRACE)].join('\n')).toEqual([])
}

test.concurrent.each(LONG)('seed %i ends as the chain', async (seed) => {
  const db = await createTestDatabase()
  try {
    await startAudit(db.sql)
    expectWell(await simulate(seed, db))
  } finally {
    await db.close()
  }
})

let shared: TestDatabase | undefined
afterAll(() => shared?.close())

test.each(SHORTS)('short seed %i ends as the chain', async (seed) => {
  if (shared === undefined) {
    shared = await createTestDatabase()
    await startAudit(shared.sql)
  }
  await emptyDatabase(shared)
  expectWell(await simulate(seed, shared, SHORT))
})
