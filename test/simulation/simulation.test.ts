import { describe, test } from 'vitest'
import { type Report, simulate } from './simulate.ts'

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
      const report = await simulate(seed)
      if (process.env.SIMULATION_COUNTS) console.log(seed, JSON.stringify(report.counts))
      if (report.problems.length > 0) throw new Error(explain(report))
    },
  )
})

function explain({ seed, problems, trace, counts }: Report): string {
  return [
    `seed ${seed} went wrong; to see it again: SIMULATION_SEED=${seed} npm run test:simulation`,
    ...problems.map((problem) => `  ✗ ${problem}`),
    `  ${JSON.stringify(counts)}`,
    `  the last of ${trace.length} events (SIMULATION_TRACE=100000 shows all):`,
    ...trace.slice(-TRACE).map((line) => `    ${line}`),
  ].join('\n')
}
