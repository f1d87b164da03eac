/**
 * Kills a process that delivers webhooks, again and again: `npm run test:webhooks -- --rounds 10000 --seed 7 --jobs 4`,
 * each job on a database of its own, with the next seeds. Ends with 0 when nothing was lost and nothing came out of order, else with 1.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killChildren } from '../../scripts/stack/child.ts'
import { copyOfTemplate } from '../support/database.ts'
import { type SharedDatabase, startSharedServices } from '../support/shared-services.ts'
import { type KillRoundsResult, killRounds } from './kill-rounds.ts'

process.on('exit', killChildren)

const PATIENCE_MS = 120_000

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'weft-webhooks-'))
const shared = startSharedServices(folder)
try {
  const server = await shared.database()
  const began = performance.now()
  const jobs = Array.from({ length: Number(values.jobs) }, (_, job) => Number(values.seed) + job)
  const share = Math.ceil(Number(values.rounds) / jobs.length)
  const results = await Promise.all(jobs.map((seed) => runJob(server, seed, share)))
  const sum = (of: 'published' | 'received' | 'repeated') =>
    results.reduce((total, result) => total + result[of], 0)
  const counts = { published: sum('published'), received: sum('received'), repeated: sum('repeated') }
  const violations = results.flatMap((result) => result.violations)
  const aMinute = (share * jobs.length) / ((performance.now() - began) / 60_000)
  console.log({ ...counts, roundsAMinute: Math.round(aMinute) })
  for (const violation of violations) console.log(`VIOLATION: ${violation}`)
  process.exitCode = violations.length === 0 ? 0 : 1
} finally {
  await shared.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function runJob(server: SharedDatabase, seed: number, rounds: number): Promise<KillRoundsResult> {
  const db = await copyOfTemplate(server)
  try {
    return await killRounds(db, {
      rounds,
      seed,
      patienceMs: PATIENCE_MS,
      onRound: (round, received) => {
        if (round % 100 === 0) console.log(`seed ${seed}, round ${round}: ${received} requests so far`)
      },
    })
  } finally {
    await db.close()
  }
}
