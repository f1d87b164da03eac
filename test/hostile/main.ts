/**
 * Runs attacks against a new network: `npm run test:hostile -- --rounds 500 --seed 7`.
 *
 * Every program of a few rounds has a chain, a database and a worker process to itself. Ends with 0 when nothing was
 * violated; otherwise with 1, and prints the smallest program found that fails like the first one.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killChildren } from '../../scripts/stack/child.ts'
import { Random } from '../simulation/random.ts'
import { chainFromState } from '../support/chain.ts'
import { copyOfTemplate } from '../support/database.ts'
import { startSharedServices } from '../support/shared-services.ts'
import { SLOTS_IN_AN_EPOCH, startHostileNetwork } from './network.ts'
import { play, type RoundReport } from './play.ts'
import { drawProgram, type Program } from './program.ts'
import { BOUNDS } from './properties.ts'

process.on('exit', killChildren)

/** More would make a program slow to repeat, fewer would leave little to build on. */
const ROUNDS_OF_A_PROGRAM = 6

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    /** Programs that are left out at the start: a long run can be done in parts. */
    skip: { type: 'string', default: '0' },
    /** A file with one program, as a violation prints it. */
    program: { type: 'string' },
    /** Goes on after a violation. */
    'keep-going': { type: 'boolean', default: false },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'weft-hostile-'))
const shared = startSharedServices(folder)
const rounds: RoundReport[] = []
try {
  process.exitCode = await main()
} finally {
  await shared.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function main(): Promise<number> {
  const began = performance.now()
  let failed = false
  for (const { label, program } of programs()) {
    const reports = await playAlone(program, (report) => say(label, report))
    rounds.push(...reports)
    const last = reports.at(-1)
    if (last === undefined || last.violations.length === 0) continue
    failed = true
    console.log(`VIOLATION in ${label}, round ${last.round}:\n  ${last.violations.join('\n  ')}`)
    if (values['keep-going']) continue
    const failing = { ...program, rounds: program.rounds.slice(0, last.round + 1) }
    console.log(`Repeat it with --program <file>:\n${JSON.stringify(failing)}`)
    break
  }
  printTable((performance.now() - began) / 1000)
  return failed ? 1 : 0
}

function* programs(): Generator<{ label: string; program: Program }> {
  if (values.program !== undefined) {
    yield { label: values.program, program: JSON.parse(readFileSync(values.program, 'utf8')) as Program }
    return
  }
  const seed = Number(values.seed)
  const count = Math.ceil(Number(values.rounds) / ROUNDS_OF_A_PROGRAM)
  for (let i = Number(values.skip); i < count; i++) {
    const length = Math.min(ROUNDS_OF_A_PROGRAM, Number(values.rounds) - i * ROUNDS_OF_A_PROGRAM)
    yield {
      label: `program ${i} of seed ${seed}`,
      program: drawProgram(new Random(seed * 100_003 + i), length),
    }
  }
}

async function playAlone(
  program: Program,
  onRound?: (report: RoundReport) => void,
): Promise<readonly RoundReport[]> {
  const chain = await chainFromState(await shared.chain(), { slotsInAnEpoch: SLOTS_IN_AN_EPOCH })
  const network = await startHostileNetwork(chain, await copyOfTemplate(await shared.database()))
  try {
    return await play(network, program, BOUNDS, onRound)
  } finally {
    await network.close()
  }
}

function say(label: string, report: RoundReport): void {
  const { round, honest, hostile, headMs, gapMs, stallMs, peakMb, slowestMs, slowest, attacks } = report
  console.log(
    `${label}, round ${round}: ${honest} honest, ${hostile} hostile; head ${headMs} ms, heartbeat gap ${gapMs} ms, ` +
      `stall ${stallMs} ms, ${peakMb} MB; slowest read ${slowestMs} ms (${slowest.slice(0, 80)}); ${attacks.join(', ')}`,
  )
}

function printTable(seconds: number): void {
  const most = (pick: (report: RoundReport) => number) => Math.max(0, ...rounds.map(pick))
  const sum = (pick: (report: RoundReport) => number) => rounds.reduce((total, each) => total + pick(each), 0)
  const rows: [string, string | number][] = [
    ['rounds', rounds.length],
    ['publications, honest', sum(({ honest }) => honest)],
    ['publications, hostile', sum(({ hostile }) => hostile)],
    ['violations', sum(({ violations }) => violations.length)],
    ['slowest head, ms', most(({ headMs }) => headMs)],
    ['largest heartbeat gap, ms', most(({ gapMs }) => gapMs)],
    ['largest stall of the event loop, ms', most(({ stallMs }) => stallMs)],
    ['peak memory of a worker, MB', most(({ peakMb }) => peakMb)],
    ['reads', sum(({ reads }) => reads)],
    ['slowest read, ms', most(({ slowestMs }) => slowestMs)],
    ['runs on chain that the simulator declines', sum(({ declined }) => declined)],
    ['seconds', Math.round(seconds)],
  ]
  console.log('| what | figure |\n| --- | ---: |')
  for (const [what, figure] of rows) console.log(`| ${what} | ${figure} |`)
}
