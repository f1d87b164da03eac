/**
 * Streams of the feed, measured: `node bench/streams.ts [streams] [rounds]`, after `npm run build`.
 *
 * For the built site, for the same through Next, and for a bare `node:http` server in one run: the time from a
 * reorganisation of 64 items being committed to its last delta arriving at each reader, the memory of an idle stream,
 * and the time from SIGTERM to the end of the process with all streams open. Readers and servers share the machine.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { migrate } from '../lib/db/migrate.ts'
import { anyFreePort } from '../scripts/stack/ports.ts'
import { type PostgresServer, startPostgres } from '../scripts/stack/postgres.ts'
import { feedTables } from '../test/feed/feed-tables.ts'
import { EventStreamReader } from '../test/support/event-stream.ts'
import { type StreamServer, startStreamServer } from './network/stream-server.ts'

const STREAMS = Number(process.argv[2] ?? 500)
const ROUNDS = Number(process.argv[3] ?? 20)
const DELTAS = 64
/** Milliseconds for a server to end. */
const PATIENCE = 10_000

const SUBJECTS = { bare: 'bare node:http', site: 'site', next: 'the same through Next' } as const

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
  const feed = await feedTables(sql)
  console.log(`${STREAMS} streams, ${ROUNDS} reorganisations of ${DELTAS} items, ${cpus().length} processors`)
  for (const name of ['bare', 'site', 'next'] as const) {
    console.log(await measure(SUBJECTS[name], await startStreamServer(name, url(), feed)))
  }
  await sql.end({ timeout: 1 })
}

async function measure(name: string, { port, path, child, emit }: StreamServer): Promise<string> {
  const url = `http://127.0.0.1:${port}${path}`
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
    await emit(DELTAS)
    await Promise.all(arrived)
  }
  const asked = performance.now()
  child.kill('SIGTERM')
  // Next waits for streams to end, and these never do.
  const ended = await Promise.race([once(child, 'exit'), sleep(PATIENCE)])
  const ending = ended === undefined ? 'still running' : 'ended'
  const after = performance.now() - asked
  child.kill('SIGKILL')
  late.sort((a, b) => a - b)
  const at = (share: number) => `${late[Math.min(late.length - 1, Math.floor(late.length * share))]} ms`
  return [
    `${name}:`,
    `fan-out p50 ${at(0.5)}, p95 ${at(0.95)}, worst ${at(1)};`,
    `${(perStream / 1024).toFixed(1)} KiB an idle stream;`,
    `${ending} ${(after / 1000).toFixed(2)} s after SIGTERM`,
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
