/**
 * Streams of the feed, measured: `node bench/streams.ts [streams] [rounds]`, after `npm run build`.
 *
 * For the built site, for the same through Next, and for a bare `node:http` server in one run: the time from a
 * reorganisation of 64 items being committed to its last delta arriving at each reader, the memory of an idle stream,
 * and the time from SIGTERM to the end of the process with all streams open. Readers and servers share the machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { migrate } from '../lib/db/migrate.ts'
import { anyFreePort } from '../scripts/stack/ports.ts'
import { type PostgresServer, startPostgres } from '../scripts/stack/postgres.ts'
import { type FeedTables, feedTables } from '../test/feed/feed-tables.ts'
import { EventStreamReader } from '../test/support/event-stream.ts'

const STREAMS = Number(process.argv[2] ?? 500)
const ROUNDS = Number(process.argv[3] ?? 20)
const DELTAS = 64

interface Subject {
  readonly name: string
  readonly command: (port: number) => readonly string[]
  readonly path: string
  /** Lets every reader have `DELTAS` more deltas, stamped with the time of now. */
  readonly emit: (child: ChildProcess) => Promise<void>
}

if (!existsSync('.next/BUILD_ID')) throw new Error('There is no built site: run `npm run build` first')
const folder = mkdtempSync(join(tmpdir(), 'weft-bench-'))
chmodSync(folder, 0o755)
const server = await startPostgres({
  dataDir: join(folder, 'data'),
  port: await anyFreePort(),
  password: 'bench',
})
try {
  await measureAll(server)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measureAll({ url }: PostgresServer): Promise<void> {
  await migrate(url())
  const sql = postgres(url(), { max: 2, onnotice: () => {} })
  const feed: FeedTables = await feedTables(sql)
  const site = (port: number) => ['scripts/site.ts', '--port', String(port)]
  const fromTables = () => feed.append(DELTAS)
  const subjects: readonly Subject[] = [
    {
      name: 'bare node:http',
      command: (port) => ['bench/bare-streams.ts', String(port)],
      path: '/',
      emit: async (child) => {
        child.stdin?.write(`${JSON.stringify({ count: DELTAS, atMs: Date.now() })}\n`)
      },
    },
    { name: 'site', command: site, path: '/chain/feed/stream?since_seq=9000000000', emit: fromTables },
    {
      name: 'the same through Next',
      command: (port) => ['node_modules/next/dist/bin/next', 'start', '--port', String(port)],
      path: '/chain/feed/stream?since_seq=9000000000',
      emit: fromTables,
    },
  ]
  console.log(`${STREAMS} streams, ${ROUNDS} reorganisations of ${DELTAS} items, ${cpus().length} processors`)
  for (const subject of subjects) console.log(await measure(subject, url()))
  await sql.end({ timeout: 1 })
}

async function measure(subject: Subject, databaseUrl: string): Promise<string> {
  const port = await anyFreePort()
  const child = spawn(process.execPath, subject.command(port), {
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
  const url = `http://127.0.0.1:${port}${subject.path}`
  // What the first requests cost once is not the price of a stream.
  for (const reader of await open(url, 50)) reader.close()
  await sleep(2_000)
  const before = memoryOf(child)
  const readers = await open(url, STREAMS)
  await sleep(3_000)
  const perStream = (memoryOf(child) - before) / STREAMS

  const late: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const arrived = readers.map(async (reader) => {
      let atMs = 0
      for (let left = DELTAS; left > 0; ) {
        const frame = await reader.next(60_000)
        if (frame === undefined) throw new Error('a stream ended')
        if (frame.id === undefined) continue
        atMs = Number(frame.data?.created_at_ms)
        left -= 1
      }
      late.push(Date.now() - atMs)
    })
    await subject.emit(child)
    await Promise.all(arrived)
  }
  const asked = performance.now()
  child.kill('SIGTERM')
  await once(child, 'exit')
  const ending = performance.now() - asked
  late.sort((a, b) => a - b)
  const at = (share: number) => `${late[Math.min(late.length - 1, Math.floor(late.length * share))]} ms`
  return [
    `${subject.name}:`,
    `fan-out p50 ${at(0.5)}, p95 ${at(0.95)}, worst ${at(1)};`,
    `${(perStream / 1024).toFixed(1)} KiB an idle stream;`,
    `ended ${(ending / 1000).toFixed(2)} s after SIGTERM`,
  ].join(' ')
}

async function open(url: string, count: number): Promise<EventStreamReader[]> {
  const readers: EventStreamReader[] = []
  for (const giveUp = Date.now() + 60_000; readers.length < count; ) {
    try {
      const batch = Math.min(50, count - readers.length)
      readers.push(...(await Promise.all(Array.from({ length: batch }, () => EventStreamReader.open(url)))))
    } catch (error) {
      if (readers.length > 0 || Date.now() > giveUp) throw error
      await sleep(200)
    }
  }
  await Promise.all(readers.map((reader) => reader.until(({ event }) => event === 'stream_meta', 60_000)))
  return readers
}

/** Bytes of memory the process holds. */
function memoryOf({ pid }: ChildProcess): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) * 1024
}
