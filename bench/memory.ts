/**
 * Memory of a site under requests for the largest responses: `npm run bench:memory`, after `npm run build`.
 *
 * Clients concurrently request runs of many values, of very long paths and of a connector that is too large, and read
 * the responses slowly or not at all. Prints the site's peak memory in each part, and its memory after a rest. Clients
 * and servers share the machine.
 *
 *   --clients 24   --seconds 12   --rest 60
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startBenchPostgres } from './network/postgres.ts'
import { type BenchProgram, startBenchProgram } from './network/program.ts'
import { httpClient } from './support/http-client.ts'
import { residentMb } from './support/memory.ts'

const GOAL_MB = 1200

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '12' },
    rest: { type: 'string', default: '60' },
  },
})
const clients = Number(values.clients)
const seconds = Number(values.seconds)

const postgres = await startBenchPostgres()
const program = await startBenchProgram(await postgres.newDatabase('memory'), { RATE_RUN: '0' })
try {
  process.exitCode = (await memory(program)) ? 0 : 1
} finally {
  await program.close()
  await postgres.close()
}

interface Run {
  readonly connector: string
  readonly count: number
}

/** @returns Whether the site stayed below the goal. */
async function memory({ endpoints, pid, post }: BenchProgram): Promise<boolean> {
  const long = (prefix: string, level: number) => `${prefix}${level}_`.padEnd(128, 'x')
  const scalar = { transformations: [] }
  const over = (composite: string) => ({ ...scalar, composite })
  console.log(`at the start: ${residentMb(pid).toFixed(0)} MB`)
  const created = performance.now()
  await post('/connector', { name: long('w', 0), dimensions: [scalar] })
  for (let level = 1; level <= 12; level++) {
    const below = over(long('w', level - 1))
    await post('/connector', { name: long('w', level), dimensions: [below, below] })
  }
  for (let level = 1; level <= 200; level++) {
    await post('/connector', {
      name: long('d', level),
      dimensions: [over(long(level === 1 ? 'w' : 'd', level === 1 ? 12 : level - 1))],
    })
  }
  await post('/connector', { name: 'wide', dimensions: Array.from({ length: 45 }, () => scalar) })
  console.log(
    `created in ${((performance.now() - created) / 1000).toFixed(1)} s; ${residentMb(pid).toFixed(0)} MB`,
  )

  let worst = 0
  const watched = async (what: string, work: (over: () => boolean) => Promise<unknown>) => {
    let done = false
    let most = 0
    const working = work(() => done).finally(() => {
      done = true
    })
    working.catch(() => undefined)
    const until = performance.now() + seconds * 1000
    while (performance.now() < until) {
      most = Math.max(most, residentMb(pid))
      await Promise.race([sleep(50), working.then(() => sleep(50))])
    }
    done = true
    await working
    worst = Math.max(worst, most)
    console.log(`${what}: at most ${most.toFixed(0)} MB, at the end ${residentMb(pid).toFixed(0)} MB`)
  }
  const statuses = new Map<number, number>()
  const asking = (run: (turn: number) => Run) => async (isOver: () => boolean) => {
    statuses.clear()
    await Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const client = httpClient(endpoints.site)
        for (let turn = 0; !isOver(); turn++) {
          const { connector, count } = run(index * 1000 + turn)
          const { status } = await client.request('POST', '/chain/simulate', bodyOf(connector, count, turn))
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status === 503) await sleep(200)
        }
        client.close()
      }),
    )
    console.log(`  ${[...statuses].map(([status, times]) => `${times} x ${status}`).join(', ')}`)
  }
  await watched(
    '65,536 x 45 values',
    asking(() => ({ connector: 'wide', count: 65_536 })),
  )
  await watched(
    '31 MB of paths',
    asking((turn) => ({ connector: long('d', 46), count: 1 + (turn % 3) })),
  )
  await watched(
    'too large by far',
    asking((turn) => ({ connector: long('d', 100 + (turn % 100)), count: 2000 })),
  )
  await watched('answers that are not read', (isOver) => unread(endpoints.site, isOver))
  await sleep(Number(values.rest) * 1000)
  console.log(`after ${values.rest} s of rest: ${residentMb(pid).toFixed(0)} MB`)
  return worst < GOAL_MB
}

function bodyOf(connector: string, count: number, turn: number): string {
  return JSON.stringify({
    connector_name: connector,
    particles_count: count,
    dynamic_ri: { 0: { start_point: turn % 7, transformation_shift: 0 } },
  })
}

async function unread(site: string, isOver: () => boolean): Promise<void> {
  const { hostname, port } = new URL(site)
  const body = bodyOf('wide', 65_536, 1)
  const head = `POST /chain/simulate HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\n`
  const sockets: Socket[] = []
  while (!isOver()) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.pause().write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
    sockets.push(socket)
    await sleep(50)
  }
  for (const socket of sockets) socket.destroy()
}
