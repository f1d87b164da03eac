/**
 * A site under much more load than it can serve: `npm run bench:overload`, after `npm run build`.
 *
 * Clients concurrently repeat slow simulations and compilations. Prints the latencies of rejected (503) and served
 * requests and of cached reads meanwhile, and the memory of the site. Clients and servers share the machine.
 *
 *   --clients 300   --seconds 20
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startBenchPostgres } from './network/postgres.ts'
import { type BenchProgram, startBenchProgram } from './network/program.ts'
import { type HttpClient, httpClient } from './support/http-client.ts'

const GOAL_MS = 50

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '20' },
  },
})
const clients = Number(values.clients)
const seconds = Number(values.seconds)

/** Two to four million turns of a loop in a run. */
const SLOW_STEP =
  'uint256 y = x; for (uint256 i = 0; i < 100000; i++) { unchecked { y = (y * 31 + args[0] + i) % 1000003; } } return uint32(y);'
function SLOW_SOURCE(turn: number) {
  return (
    Array.from({ length: 200 }, (_, line) => `uint256 v${line} = uint256(x) * ${line + turn};`).join(' ') +
    ' return x;'
  )
}

const postgres = await startBenchPostgres()
const program = await startBenchProgram(await postgres.newDatabase('overload'))
try {
  process.exitCode = (await overload(program)) ? 0 : 1
} finally {
  await program.close()
  await postgres.close()
}

/** @returns Whether rejected requests were answered in time. */
async function overload({ endpoints, pid, post }: BenchProgram): Promise<boolean> {
  await post('/transformation', { name: 'slow_step', sol_src: SLOW_STEP })
  const dimensions = [{ transformations: [{ name: 'slow_step', args: [7] }] }]
  await post('/connector', { name: 'slow', dimensions })

  const times = new Map<string, number[]>()
  const note = (what: string, ms: number) => void (times.get(what) ?? times.set(what, []).get(what))?.push(ms)
  const memory: number[] = []
  let over = false

  const connections = Array.from({ length: clients + 1 }, () => httpClient(endpoints.site))
  const ask = async (client: HttpClient, index: number) => {
    const own = { origin: endpoints.site, 'sec-fetch-site': 'same-origin' }
    for (let turn = 0; !over; turn++) {
      const began = performance.now()
      const { status } =
        index % 2 === 0
          ? await client.request(
              'POST',
              '/chain/simulate',
              JSON.stringify({ connector_name: 'slow', particles_count: 20 + ((index + turn) % 20) }),
            )
          : await client.request(
              'POST',
              '/studio/api/compile',
              JSON.stringify({ kind: 'transformation', sol_src: SLOW_SOURCE(index * 1000 + turn) }),
              own,
            )
      note(status === 503 ? 'turned away' : `answered ${status}`, performance.now() - began)
      // Clients told to retry in a second or two retry much sooner here.
      if (status === 503) await sleep(100)
    }
  }
  const read = async (client: HttpClient) => {
    while (!over) {
      const began = performance.now()
      const { status } = await client.request('GET', '/chain/transformation/slow_step')
      note(`reads ${status}`, performance.now() - began)
      await sleep(20)
    }
  }
  const [reader, ...askers] = connections as [HttpClient, ...HttpClient[]]
  const failed = Promise.all([read(reader), ...askers.map(ask)])
  // What is still queued at the end is not waited for.
  failed.catch(() => undefined)
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    memory.push(residentMiB(pid))
    await Promise.race([sleep(250), failed])
  }
  over = true
  for (const connection of connections) connection.close()

  console.log(`${clients} clients for ${seconds} s: simulations and compilations`)
  for (const [what, all] of [...times].toSorted()) console.log(`  ${what}: ${describe(all)}`)
  const [early, late] = [memory.slice(memory.length / 4, memory.length / 2), memory.slice(-memory.length / 4)]
  console.log(
    `  memory of the site: ${median(early)} MiB in the second quarter, ${median(late)} MiB in the last`,
  )
  const turnedAway = times.get('turned away') ?? []
  return turnedAway.length > 0 && at(turnedAway, 0.99) < GOAL_MS
}

function describe(all: number[]): string {
  const [half, most, worst] = [0.5, 0.99, 1].map((share) => at(all, share).toFixed(1))
  return `${all.length}, p50 ${half} ms, p99 ${most} ms, worst ${worst} ms`
}

function at(all: readonly number[], share: number): number {
  const sorted = all.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function median(all: readonly number[]): number {
  return Math.round(at(all, 0.5))
}

function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}
