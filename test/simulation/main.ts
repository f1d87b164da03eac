/**
 * Many short histories of the seeded simulation: `npm run test:simulation:short -- --seeds 10000 --first 1 --jobs 3`.
 * Ends with 1 when a seed went wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killChildren } from '../../scripts/stack/child.ts'
import { copyOfTemplate } from '../support/database.ts'
import { type SharedDatabase, startSharedServices } from '../support/shared-services.ts'
import { startAudit } from './audit.ts'
import { emptyDatabase } from './oracle.ts'
import { explain } from './report.ts'
import { type Report, SHORT, simulate } from './simulate.ts'

process.on('exit', killChildren)

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    first: { type: 'string', default: '1' },
    /** Histories at a time, each in a database of its own, which the next one empties. */
    jobs: { type: 'string', default: '3' },
    /** Events shown of a history that went wrong. */
    trace: { type: 'string', default: '30' },
  },
})
const [seeds, first, jobs] = [values.seeds, values.first, values.jobs].map(Number) as [number, number, number]
if (![seeds, first, jobs].every((n) => Number.isInteger(n) && n > 0)) {
  throw new Error('--seeds, --first and --jobs are whole numbers of at least 1')
}
const REPORT_EVERY = 100

const began = performance.now()
const sums = new Map<string, number>()
const failed: number[] = []
let [next, done] = [first, 0]
process.exitCode = (await runSeeds()) ? 0 : 1
process.exit()

/** @returns whether all seeds ended well. */
async function runSeeds(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-simulation-'))
  const shared = startSharedServices(folder)
  try {
    const server = await shared.database()
    await Promise.all(Array.from({ length: jobs }, () => runJob(server)))
    console.log(JSON.stringify(Object.fromEntries([...sums].sort())))
    console.log(progress())
    return failed.length === 0
  } finally {
    await shared.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runJob(server: SharedDatabase): Promise<void> {
  const db = await copyOfTemplate(server)
  try {
    await startAudit(db.sql)
    while (next < first + seeds) {
      const seed = next++
      await emptyDatabase(db)
      record(await simulate(seed, db, SHORT))
    }
  } finally {
    await db.close()
  }
}

function record(report: Report): void {
  for (const [what, count] of Object.entries(report.counts)) {
    const known = sums.get(what) ?? 0
    sums.set(what, what === 'deepest' ? Math.max(known, count) : known + count)
  }
  if (report.problems.length > 0) {
    failed.push(report.seed)
    const again = `npm run test:simulation:short -- --first ${report.seed} --seeds 1 --trace 100000`
    console.log(explain(report, again, Number(values.trace)))
  }
  done += 1
  if (done % REPORT_EVERY === 0) console.log(progress())
}

function progress(): string {
  const minutes = (performance.now() - began) / 60_000
  const wrong = failed.length === 0 ? '0 went wrong' : `${failed.length} went wrong: ${failed.join(' ')}`
  return `${done} of ${seeds} seeds from ${first} on, ${wrong}; ${minutes.toFixed(1)} minutes`
}
