/**
 * Compares what requests cost two running sites, for instance of two commits, each started by `npm start` in a clone:
 *
 *   node bench/compare.ts 4310 4410 [--rounds 9]    the ports of the sites, the baseline first
 *
 * Sides take turns. What counts is the CPU time of the whole process, which other work on the machine changes little.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { READ_PATHS } from './sections/reads.ts'
import { figure } from './support/format.ts'
import { type HttpClient, httpClient } from './support/http-client.ts'
import { cpuMs, load } from './support/load.ts'
import { median } from './support/measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '9' } },
})
const ROUNDS = Number(values.rounds)
const READ_MILLISECONDS = 1_500
/** Runs in a round: enough that a round is many ticks of the clock that counts CPU time. */
const RUNS = 300
/** Small runs, which cost little but the handling of the request, and large ones. */
const COUNTS = [16, 8_192]

interface Side {
  readonly origin: string
  readonly pid: number
  readonly client: HttpClient
}

if (positionals.length !== 2) {
  console.error('Name the ports of two running sites.')
  process.exit(2)
}
const sides = positionals.map((port): Side => {
  const origin = `http://127.0.0.1:${port}`
  return { origin, pid: listenerOf(Number(port)), client: httpClient(origin) }
})
console.log('| request | baseline, CPU ms per 1,000 | other | ratio |\n| --- | ---: | ---: | ---: |')
for (const path of READ_PATHS) {
  await compare(`GET ${path}`, async ({ origin, pid }) => {
    const { cpuMsPerThousand } = await load(origin, path, { milliseconds: READ_MILLISECONDS, pid })
    return cpuMsPerThousand ?? Number.NaN
  })
}
for (const count of COUNTS) {
  await compare(`POST /chain/simulate, ${figure(count)} particles`, (side) => simulate(side, count))
}
for (const { client } of sides) client.close()

async function compare(name: string, measure: (side: Side) => Promise<number>): Promise<void> {
  const results = sides.map((): number[] => [])
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [n, side] of sides.entries()) {
      const result = await measure(side)
      if (round > 0) results[n]?.push(result)
    }
  }
  const [baseline, other] = results.map(median) as [number, number]
  const ratios = results[0]!.map((each, round) => results[1]![round]! / each)
  console.log(`| ${name} | ${figure(baseline)} | ${figure(other)} | ${median(ratios).toFixed(3)} |`)
}

async function simulate({ client, pid }: Side, count: number): Promise<number> {
  const before = cpuMs(pid) ?? Number.NaN
  for (let n = 0; n < RUNS; n++) {
    const body = JSON.stringify({ connector_name: 'pitch', particles_count: count + (n % 7) })
    const { status, chunks } = await client.request('POST', '/chain/simulate', body)
    if (status !== 200) throw new Error(`${status} ${Buffer.concat(chunks).toString().slice(0, 300)}`)
  }
  return (((cpuMs(pid) ?? Number.NaN) - before) / RUNS) * 1_000
}

/** Process that listens on a port of this machine. */
function listenerOf(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === '0A')
      .map((fields) => `socket:[${fields[9]}]`),
  )
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const files = readdirSync(`/proc/${pid}/fd`)
      if (files.some((fd) => inodes.includes(readlinkSync(`/proc/${pid}/fd/${fd}`)))) return Number(pid)
    } catch {
      // It has ended, or is another user's.
    }
  }
  throw new Error(`Nothing listens on port ${port}`)
}
