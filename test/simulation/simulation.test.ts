import { describe, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { startAudit } from './audit.ts'
import { explain } from './report.ts'
import { simulate } from './simulate.ts'

/** How many seeds, and the first of them; or which one. */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 3)
const FIRST = Number(process.env.SIMULATION_FIRST ?? 1)
const ONLY = process.env.SIMULATION_SEED
const seeds = ONLY === undefined ? Array.from({ length: SEEDS }, (_, i) => FIRST + i) : [Number(ONLY)]
const TRACE = Number(process.env.SIMULATION_TRACE ?? 30)

describe.concurrent('the worker, whatever the node, the database and the scheduler do', () => {
  test.each(seeds)(
    'seed %i ends with the tables and the deltas of the chain',
    { timeout: 600_000 },
    async (seed) => {
      const db = await createTestDatabase()
      try {
        await startAudit(db.sql)
        const report = await simulate(seed, db)
        if (process.env.SIMULATION_COUNTS) console.log(seed, JSON.stringify(report.counts))
        const again = `SIMULATION_SEED=${seed} SIMULATION_TRACE=100000 npm run test:simulation`
        if (report.problems.length > 0) throw new Error(explain(report, again, TRACE))
      } finally {
        await db.close()
      }
    },
  )
})
