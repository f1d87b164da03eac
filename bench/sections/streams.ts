import { type ChildProcess, spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { migrate } from '../../lib/db/migrate.ts'
import { anyFreePort } from '../../scripts/stack/ports.ts'
import { feedTables } from '../../test/feed/feed-tables.ts'
import type { BenchPostgres } from '../network/postgres.ts'
import { end, whenAnswering } from '../network/program.ts'
import type { Options } from '../options.ts'
import { figure } from '../support/format.ts'
import { median } from '../support/measure.ts'
import type { Report } from '../support/report.ts'

const READERS = 500
const DELTAS = 64
const BURSTS = 8

/** Deliveries a second to many readers of the feed's stream, against a bare server that sends the same frames. */
export async function streams(report: Report, database: BenchPostgres, { rounds }: Options): Promise<void> {
  report.heading(`Streams, ${READERS} readers`)
  const databaseUrl = await database.newDatabase('streams')
  await migrate(databaseUrl)
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  const feed = await feedTables(sql)
  const bare = await start(['bench/bare-streams.ts'], databaseUrl, '/')
  const site = await start(['scripts/site.ts', '--port'], databaseUrl, '/chain/version')
  const subjects = [
    {
      name: 'bare',
      ...bare,
      path: '/',
      emit: async () => {
        const line = JSON.stringify({ count: DELTAS, atMs: Date.now() })
        for (let burst = 0; burst < BURSTS; burst++) bare.child.stdin!.write(`${line}\n`)
      },
    },
    {
      name: 'site',
      ...site,
      path: '/chain/feed/stream?since_seq=9000000000',
      emit: async () => {
        for (let burst = 0; burst < BURSTS; burst++) await feed.append(DELTAS)
      },
    },
  ]
  const speeds = new Map(subjects.map(({ name }) => [name, [] as number[]]))
  const open = new Map<string, Reader[]>()
  try {
    for (const { name, port, path } of subjects) {
      open.set(name, await Promise.all(Array.from({ length: READERS }, () => openReader(port, path))))
    }
    for (let round = 0; round <= rounds; round++) {
      for (const { name, emit } of subjects) {
        const readers = open.get(name)!
        const began = performance.now()
        const all = Promise.all(readers.map((reader) => reader.more(DELTAS * BURSTS)))
        await emit()
        await all
        const seconds = (performance.now() - began) / 1000
        if (round > 0) speeds.get(name)!.push((READERS * DELTAS * BURSTS) / seconds)
      }
    }
  } finally {
    for (const readers of open.values()) for (const reader of readers) reader.close()
    await Promise.all(subjects.map(({ child }) => end(child)))
    await sql.end({ timeout: 1 })
  }
  const [least, ours] = ['bare', 'site'].map((name) => median(speeds.get(name)!)) as [number, number]
  report.line(
    `${figure(ours)} deliveries/s, each delta written to the database first; ${figure(least)} by a bare server ` +
      `(${(ours / least).toFixed(2)}x). ${DELTAS * BURSTS} deltas in ${BURSTS} transactions a round.`,
  )
}

async function start(program: readonly string[], databaseUrl: string, path: string) {
  const port = await anyFreePort()
  const child: ChildProcess = spawn(process.execPath, [...program, String(port)], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      CHAIN_TOKEN_KEY: 'ab'.repeat(32),
      SESSION_KEY: 'ab'.repeat(32),
      LOG_LEVEL: 'error',
    },
  })
  await whenAnswering(`http://127.0.0.1:${port}${path}`, child)
  return { port, child }
}

/** Counts frames with a number and does nothing else: it shares the machine with the server. */
interface Reader {
  /** Resolves when so many more have come. */
  more(count: number): Promise<void>
  close(): void
}

const MARK = Buffer.from('\nid: ')

function openReader(port: number, path: string): Promise<Reader> {
  return new Promise((resolve, reject) => {
    let open = false
    let seen = 0
    let wanted = Number.POSITIVE_INFINITY
    let wake = () => {}
    let tail: Buffer = Buffer.alloc(0)
    const socket: Socket = connect({ host: '127.0.0.1', port })
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (!open) {
        open = true
        resolve({
          more: (count) =>
            new Promise((done) => {
              wanted = seen + count
              wake = done
            }),
          close: () => socket.destroy(),
        })
      }
      const text = tail.length === 0 ? chunk : Buffer.concat([tail, chunk])
      let at = text.indexOf(MARK)
      let from = 0
      for (; at !== -1; at = text.indexOf(MARK, from)) {
        seen += 1
        from = at + MARK.length
      }
      tail = text.subarray(Math.max(from, text.length - MARK.length + 1))
      if (seen >= wanted) wake()
    })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  })
}
