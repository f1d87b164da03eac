/**
 * The built program under load, over 100,000 entities and 1,000 Worlds: `npm run build`, then `npm run bench:load`, with
 * `-- --entities 10000` for a smaller network. Clients, site, worker, database and chain share the machine.
 *
 *   --entities 100000   --worlds 1000   --streams 2000   --seconds 8 at each rate   --write FILE   the tables as markdown
 *   --mixed 50,100,…   only the mixed load, at these rates   --connections 128   of the clients
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { encodeFunctionData } from 'viem'
import { runnerAbi } from '../../lib/chain/abi.ts'
import { anyFreePort } from '../../scripts/stack/ports.ts'
import { end, whenAnswering } from '../network/program.ts'
import { figure } from '../support/format.ts'
import { createReport, machine, type Report } from '../support/report.ts'
import { openIdleStreams } from './idle-streams.ts'
import { residentMb } from './memory.ts'
import { readingMix, readOf } from './mix.ts'
import { type Ask, askAtRate, type Seen } from './open-loop.ts'
import { seededRandom } from './random.ts'
import { openStage, type Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '100000' },
    worlds: { type: 'string', default: '1000' },
    streams: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '8' },
    mixed: { type: 'string' },
    connections: { type: 'string', default: '128' },
    write: { type: 'string' },
  },
})
const MIXED = values.mixed?.split(',').map(Number) ?? [50, 100, 200, 400, 800, 1600]
const READS = [250, 500, 1000, 2000]
const RUNS = [50, 100, 200, 400]
const RUN_PARTICLES = 1000
/** Beyond it nobody waits. */
const LOST_MS = 2_000

const lines: string[] = []
const report = createReport((text) => {
  lines.push(text)
  console.log(text)
})
const milliseconds = Number(values.seconds) * 1000
const connections = Number(values.connections)
const random = seededRandom(11)

report.line(machine())
const stage = await openStage({
  entities: Number(values.entities),
  worlds: Number(values.worlds),
  users: Math.floor(Number(values.entities) / 5),
})
try {
  const { program } = stage
  report.line(
    `${Number(values.entities).toLocaleString('en-US')} entities and ${values.worlds} Worlds, written in ${figure(stage.seconds)} s`,
  )
  const memory: string[][] = []
  const remember = (when: string) =>
    memory.push([when, figure(residentMb(program.pid)), figure(residentMb(program.workerPid))])
  remember('before')
  const mix = readingMix(random, stage.sample, stage.runnable)
  await askAtRate(stage.origin, mix.next, { perSecond: 50, milliseconds })
  remember('warm')
  const streams = await openIdleStreams(stage.origin, Number(values.streams))
  remember(`with ${values.streams} idle streams`)

  report.heading(`Mixed reads and simulations beside ${values.streams} idle streams`)
  await rates(report, [{ name: 'site', origin: stage.origin, next: mix.next }], MIXED)
  remember('after the mixed load')
  if (values.mixed === undefined) await comparisons(stage)
  remember('after everything')
  report.line(`${streams.open()} of ${values.streams} streams are still open`)
  streams.close()
  report.heading('Memory, MB')
  report.table(['when', 'site', 'worker'], memory)
  if (values.write !== undefined) writeFileSync(values.write, `${lines.join('\n')}\n`)
} finally {
  await stage.close()
}

async function comparisons(stage: Stage): Promise<void> {
  report.heading('One read by its key: the site, and a bare server with the same query')
  const bare = await startBare(stage.databaseUrl)
  const read = () => readOf(stage.sample[random.whole(stage.sample.length)]!)
  await rates(
    report,
    [
      { name: 'bare node:http + postgres.js', origin: bare.origin, next: read },
      { name: 'site', origin: stage.origin, next: read },
    ],
    READS,
  )
  await bare.close()
  report.heading(
    `One run of ${RUN_PARTICLES} particles, never the same: the site, and anvil's eth_call of the Runner`,
  )
  await rates(report, runSides(stage), RUNS)
}

interface Side {
  readonly name: string
  readonly origin: string
  readonly next: () => Ask
}

/** Each rate for each side in turn, until a side is lost. */
async function rates(to: Report, sides: readonly Side[], all: readonly number[]): Promise<void> {
  const rows: string[][] = []
  const kinds = new Map<string, Seen['kinds']>()
  const lost = new Set<Side>()
  for (const perSecond of all) {
    for (const side of sides) {
      if (lost.has(side)) continue
      const seen = await askAtRate(side.origin, side.next, { perSecond, milliseconds, connections })
      rows.push([
        String(perSecond),
        side.name,
        figure(seen.perSecond),
        ...[seen.p50, seen.p95, seen.p99].map(figure),
        String(seen.refused),
        String(seen.errors),
      ])
      if (seen.firstError !== undefined) to.line(`at ${perSecond} a second, ${side.name}: ${seen.firstError}`)
      if (seen.p50 > LOST_MS || seen.errors > seen.asked / 10) lost.add(side)
      else if (sides.length === 1) kinds.set(String(perSecond), seen.kinds)
    }
  }
  to.table(
    ['asked a second', 'of', 'answered a second', 'p50 ms', 'p95 ms', 'p99 ms', 'refused', 'errors'],
    rows,
  )
  const shown = [...kinds].find(([rate]) => Number(rate) >= 200) ?? [...kinds].at(-1)
  if (shown === undefined) return
  to.line(`Of these at ${shown[0]} a second:`)
  to.table(
    ['kind', 'answers', 'p50 ms', 'p99 ms'],
    [...shown[1]].map(([kind, { count, p50, p99 }]) => [kind, String(count), figure(p50), figure(p99)]),
  )
}

async function startBare(databaseUrl: string) {
  const port = await anyFreePort()
  const child = spawn(process.execPath, ['bench/load/bare-read.ts', String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATABASE_URL: databaseUrl },
  })
  const origin = `http://127.0.0.1:${port}`
  await whenAnswering(`${origin}/chain/connector/none`, child)
  return { origin, close: () => end(child) }
}

/** The same connector of the example network, from starts that nobody asked for before. */
function runSides({ program, origin }: Stage): Side[] {
  const { chainRpc, runner } = program.endpoints
  const connector = 'pitch'
  let start = 1
  return [
    {
      name: 'anvil',
      origin: chainRpc,
      next: () => {
        start += 1
        const dynamicRi = [{ position: 0, startPoint: start, transformationShift: 0 }]
        const data = encodeFunctionData({
          abi: runnerAbi,
          functionName: 'generate',
          args: [connector, RUN_PARTICLES, dynamicRi],
        })
        const params = [{ to: runner, data, gas: '0x4a817c800' }, 'latest']
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
        return { kind: 'run', method: 'POST', path: '/', body }
      },
    },
    {
      name: 'site',
      origin,
      next: () => {
        start += 1
        const dynamic = { 0: { start_point: start, transformation_shift: 0 } }
        const body = JSON.stringify({
          connector_name: connector,
          particles_count: RUN_PARTICLES,
          dynamic_ri: dynamic,
        })
        return { kind: 'run', method: 'POST', path: '/chain/simulate', body }
      },
    },
  ]
}
