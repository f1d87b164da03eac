import { spawn } from 'node:child_process'
import { anyFreePort } from '../../scripts/stack/ports.ts'
import { type BenchProgram, end, whenAnswering } from '../network/program.ts'
import type { Options } from '../options.ts'
import { figure } from '../support/format.ts'
import { type LoadResult, load } from '../support/load.ts'
import { median } from '../support/measure.ts'
import type { Report } from '../support/report.ts'

/** Reads of the example network that every client asks for. */
const PATHS = [
  '/chain/version',
  '/chain/transformation/add',
  '/chain/connector/pitch',
  '/chain/feed?limit=20',
  '/chain/accounts?limit=20',
  '/chain/formats?limit=20',
]
const MILLISECONDS = 1_500
/** Headers that belong to the connection, which Node writes itself. */
const OWN_HEADERS = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']

/** Requests a second of the site, of the same build under `next start`, and of a bare server with the same bytes. */
export async function reads(report: Report, program: BenchProgram, { rounds }: Options): Promise<void> {
  report.heading('Reads, requests a second over 32 connections')
  const origin = program.endpoints.site.replace('localhost', '127.0.0.1')
  const next = await program.startNext()
  const bare = await startBare(origin)
  const servers = [
    { name: 'bare', origin: bare.origin, pid: bare.pid },
    { name: 'site', origin, pid: program.pid },
    { name: 'next', origin: next.origin, pid: next.pid },
  ] as const
  const rows: string[][] = []
  const worst = { bare: Number.POSITIVE_INFINITY, next: Number.POSITIVE_INFINITY }
  const details = { bare: '', next: '' }
  try {
    for (const path of PATHS) {
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
        figure(speed('bare')),
        figure(speed('site')),
        figure(speed('next')),
        `${(speed('site') / speed('bare')).toFixed(2)}x`,
        `${(speed('site') / speed('next')).toFixed(1)}x`,
        `${cpu('bare').toFixed(1)} / ${cpu('site').toFixed(1)} / ${cpu('next').toFixed(0)}`,
      ])
      for (const side of ['bare', 'next'] as const) {
        const ratio = speed('site') / speed(side)
        if (ratio >= worst[side]) continue
        worst[side] = ratio
        details[side] =
          `worst of ${PATHS.length}: ${path}, ${figure(speed('site'))} against ${figure(speed(side))} requests/s`
      }
    }
  } finally {
    await Promise.all([next.close(), bare.close()])
  }
  report.table(
    ['path', 'bare node:http', 'site', 'Next route', 'of bare', 'of Next', 'µs of CPU a request'],
    rows,
  )
  report.goal('readsBare', worst.bare, details.bare)
  report.goal('readsNext', worst.next, details.next)
}

/** A bare server with the very answers that the site gives now. */
async function startBare(origin: string) {
  const answers: Record<string, { headers: Record<string, string>; body: string }> = {}
  for (const path of PATHS) {
    const response = await fetch(`${origin}${path}`)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.includes(name)))
    answers[path] = { headers, body: await response.text() }
  }
  const port = await anyFreePort()
  const child = spawn(process.execPath, ['bench/bare-answers.ts', String(port)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.write(`${JSON.stringify(answers)}\n`)
  const at = `http://127.0.0.1:${port}`
  await whenAnswering(`${at}/ready`, child)
  return { origin: at, pid: child.pid!, close: () => end(child) }
}
