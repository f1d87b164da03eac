/**
 * Works with a network of its own while faults happen to it: `npm run test:chaos -- --rounds 100 --seed 1`.
 *
 * Ends with 0 when nothing was violated, 1 otherwise; then the folder with the logs is kept. The same seed brings the
 * same faults in the same rounds; what was under way at that moment differs.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killChildren } from '../../scripts/stack/child.ts'
import { buildSite } from '../../scripts/stack/site-build.ts'
import { createReport } from './report.ts'
import { runRounds } from './run.ts'

process.on('exit', killChildren)

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    /** Set by ourselves: this process may mount what nobody else sees. */
    apart: { type: 'boolean', default: false },
  },
})
process.exitCode = values.apart || !canGoApart() ? await main() : goApart()

/** Whether this machine lets us have mounts of our own, which end with the last of our processes. */
function canGoApart(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function goApart(): number {
  const args = ['--mount', process.execPath, ...process.argv.slice(1), '--apart']
  return spawnSync('unshare', args, { stdio: 'inherit' }).status ?? 1
}

async function main(): Promise<number> {
  const seed = Number(values.seed)
  const rounds = Number(values.rounds)
  await buildSite(() => {})
  const folder = mkdtempSync(join(tmpdir(), 'weft-chaos-'))
  const report = createReport((round, what) => {
    console.log(`VIOLATION in round ${round} of seed ${seed}: ${what}`)
  })
  const began = performance.now()
  await runRounds({ seed, rounds, folder, report, say: (line) => console.log(line) }).catch(
    (error: unknown) =>
      report.violation(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  )
  for (const [what, times] of [...report.counts].sort()) console.log(`  ${what}: ${times}`)
  const found = report.violations.length
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${rounds} rounds of seed ${seed} in ${seconds} s: ${found} violations`)
  if (found === 0) rmSync(folder, { recursive: true, force: true })
  else console.log(`Logs are in ${folder}. Again: npm run test:chaos -- --rounds ${rounds} --seed ${seed}`)
  return found === 0 ? 0 : 1
}
