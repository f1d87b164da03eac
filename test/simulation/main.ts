/**
 * Many short histories of the seeded simulation: `npm run test:simulation:short -- --seeds 10000 --first 1 --jobs 3`.
 * Ends with 1 when a seed went wrong. `--plant all` puts one fault after the other into the worker, and ends with 1 when
 * the seeds do not find each.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { killChildren, startChild } from '../../scripts/stack/child.ts'
import { copyOfTemplate } from '../support/database.ts'
import { type SharedDatabase, startSharedServices } from '../support/shared-services.ts'
import { startAudit } from './audit.ts'
import { PLANTED_FAULTS, plant } from './planted-faults.ts'
import { explain } from './report.ts'
import type { Report } from './simulate.ts'

process.on('exit', killChildren)

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    first: { type: 'string', default: '1' },
    /** Histories at a time, each in a database of its own, which the next one empties. */
    jobs: { type: 'string', default: '3' },
    /** Events shown of a history that went wrong. */
    trace: { type: 'string', default: '30' },
    plant: { type: 'string' },
  },
})
const [seeds, first, jobs] = [values.seeds, values.first, values.jobs].map(Number) as [number, number, number]
if (![seeds, first, jobs].every((n) => Number.isInteger(n) && n > 0)) {
  throw new Error('--seeds, --first and --jobs are whole numbers of at least 1')
}
const REPORT_EVERY = 100
const planted = values.plant === undefined ? [] : [values.plant]

const began = performance.now()
const sums = new Map<string, number>()
const failed: number[] = []
let [next, done] = [first, 0]
process.exitCode = (values.plant === 'all' ? await findAll() : await runSeeds()) ? 0 : 1
process.exit()

/** @returns whether all seeds ended well. */
async function runSeeds(): Promise<boolean> {
  for (const name of planted) plant(name)
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
  // Loaded now, with the fault that is planted.
  const { SHORT, simulate } = await import('./simulate.ts')
  const { emptyDatabase } = await import('./oracle.ts')
  const db = await copyOfTemplate(server)
  try {
    await startAudit(db.sql)
    while (next < first + seeds && (planted.length === 0 || failed.length === 0)) {
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

/** Plants each fault in a process of its own. @returns whether all were found. */
async function findAll(): Promise<boolean> {
  let all = true
  for (const name of Object.keys(PLANTED_FAULTS)) {
    const lines: string[] = []
    const child = await startChild(
      process.execPath,
      [fileURLToPath(import.meta.url), '--plant', name, '--seeds', String(seeds), '--first', String(first)],
      { name: 'simulation', onLine: (line) => lines.push(line) },
    )
    const { code } = await child.exited
    const problem = lines.find((line) => line.includes('✗'))?.trim()
    const found = code === 1 && problem !== undefined
    all &&= found
    console.log(`${found ? 'found' : 'NOT FOUND'}: ${name}\n  ${lines.at(-1)}\n  ${problem ?? ''}`)
  }
  return all
}
