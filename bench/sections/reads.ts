import { spawn } from 'node:child_process'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { type BenchProgram, end, whenAnswering } from '../network/program.ts'
import { figure } from '../support/format.ts'
import { type LoadResult, load } from '../support/load.ts'
import { median } from '../support/measure.ts'
import type { Options, Report } from '../support/report.ts'

/** Reads of the example network that every client sends. */
export const READ_PATHS = [
  '/chain/version',
  '/chain/transformation/add',
  '/chain/connector/pitch',
  '/chain/feed?limit=20',
  '/chain/accounts?limit=20',
  '/chain/formats?limit=20',
]
const MILLISECONDS = 1_500

/** Requests a second of the site, of Fastify with the same queries, and of the same build under `next start`. */
export async function reads(report: Report, program: BenchProgram, { rounds }: Options): Promise<void> {
  report.heading('Reads, requests a second over 32 connections')
  const origin = program.endpoints.site.replace('localhost', '127.0.0.1')
  const next = await program.startNext()
  const fastify = await startFastify(origin, program.databaseUrl)
  const servers = [
    { name: 'fastify', origin: fastify.origin, pid: fastify.pid },
    { name: 'site', origin, pid: program.pid },
    { name: 'next', origin: next.origin, pid: next.pid },
  ] as const
  const rows: string[][] = []
  const worst = { fastify: Number.POSITIVE_INFINITY, next: Number.POSITIVE_INFINITY }
  const details = { fastify: '', next: '' }
  try {
    for (const path of READ_PATHS) {
      await requireSameBody(path, origin, fastify.origin)
      const results = new Map(servers.map(({ name }) => [name, [] as LoadResult[]]))
      // The first round warms up.
      for (let round = 0; round <= rounds; round++) {
        for (const { name, origin: at, pid } of servers) {
          const result = await load(at, path, { milliseconds: round === 0 ? 500 : MILLISECONDS, pid })
          if (round > 0) results.get(name)!.push(result)
        }
      }
      const speed = (name: (typeof servers)[number]['name']) =>
        median(results.get(name)!.map((each) => each.requestsPerSecond))
      const cpu = (name: (typeof servers)[number]['name']) =>
        median(results.get(name)!.map((each) => each.cpuMsPerThousand ?? Number.NaN))
      rows.push([
        path,
        figure(speed('fastify')),
        figure(speed('site')),
        figure(speed('next')),
        `${(speed('site') / speed('fastify')).toFixed(2)}x`,
        `${(speed('site') / speed('next')).toFixed(1)}x`,
        `${cpu('fastify').toFixed(0)} / ${cpu('site').toFixed(0)} / ${cpu('next').toFixed(0)}`,
      ])
      // The version takes no query: there Fastify's route is one literal.
      const sides = path === '/chain/version' ? (['next'] as const) : (['fastify', 'next'] as const)
      for (const side of sides) {
        const ratio = speed('site') / speed(side)
        if (ratio >= worst[side]) continue
        worst[side] = ratio
        details[side] =
          `worst of ${READ_PATHS.length}: ${path}, ${figure(speed('site'))} against ${figure(speed(side))} requests/s`
      }
    }
  } finally {
    await Promise.all([next.close(), fastify.close()])
  }
  report.table(
    ['path', 'Fastify', 'site', 'Next route', 'of Fastify', 'of Next', 'µs of CPU a request'],
    rows,
  )
  report.goal('readsFastify', worst.fastify, details.fastify)
  report.goal('readsNext', worst.next, details.next)
}

/** The hand-written routes of `bench/fastify-reads.ts` over the database of the site. */
async function startFastify(site: string, databaseUrl: string) {
  const version = (await (await fetch(`${site}/chain/version`)).json()) as { build_timestamp: string }
  const port = await anyFreePort()
  const child = spawn(process.execPath, ['bench/fastify-reads.ts', String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      BUILD_TIMESTAMP: version.build_timestamp,
    },
  })
  const at = `http://127.0.0.1:${port}`
  await whenAnswering(`${at}/chain/version`, child)
  return { origin: at, pid: child.pid!, close: () => end(child) }
}

async function requireSameBody(path: string, ...origins: readonly string[]): Promise<void> {
  const bodies = await Promise.all(
    origins.map(async (origin) => {
      const response = await fetch(`${origin}${path}`)
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return JSON.stringify(sorted(await response.json()))
    }),
  )
  if (new Set(bodies).size !== 1) throw new Error(`${path}: the bodies differ: ${bodies.join(' and ')}`)
}

/** With the keys of every object in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
