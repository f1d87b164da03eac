import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconnectDelay } from '../../lib/platform/db/connect.ts'
import { migrate } from '../../lib/platform/db/migrate.ts'
import { anyFreePort } from '../../scripts/stack/ports.ts'
import { type PostgresServer, startPostgres } from '../../scripts/stack/postgres.ts'
import { Random } from '../simulation/random.ts'
import { EventStreamReader } from '../support/event-stream.ts'
import { feedTables } from './feed-tables.ts'

/** `STREAM_FAULTS=1000 STREAM_FAULTS_SEED=7 npx vitest run test/feed/stream-faults.test.ts` for more and other moments to leave. */
const SEED = Number(process.env.STREAM_FAULTS_SEED ?? 1)
const DISCONNECTS = Number(process.env.STREAM_FAULTS ?? 60)
const READERS = 20

let folder: string
let server: PostgresServer
let sql: postgres.Sql
let port: number
let site: ChildProcess

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weft-faults-'))
  chmodSync(folder, 0o755)
  server = await startDatabase(await anyFreePort())
  await migrate(server.url())
  sql = postgres(server.url(), { max: 4, backoff: reconnectDelay, onnotice: () => {} })
  port = await anyFreePort()
  site = startSite()
})

afterAll(async () => {
  site?.kill('SIGKILL')
  await sql?.end({ timeout: 1 })
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function startDatabase(at: number): Promise<PostgresServer> {
  return startPostgres({ dataDir: join(folder, 'data'), port: at, password: 'test', settings: ['fsync=off'] })
}

function startSite(): ChildProcess {
  return spawn(process.execPath, ['test/feed/stream-process.ts', server.url(), String(port)], {
    stdio: 'inherit',
  })
}

/** Does again what fails while the database is away. */
async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch {
      await sleep(20)
    }
  }
}

/** One reader of the feed that leaves whenever it likes and comes back to where it was. */
class RestlessReader {
  readonly taken: number[] = []
  readonly #random: Random
  readonly #timeoutMs: () => number

  constructor(random: Random, timeoutMs: () => number) {
    this.#random = random
    this.#timeoutMs = timeoutMs
  }

  /** Reads for a while. @returns whether the reader disconnected. */
  async visit(maxFrames: number): Promise<boolean> {
    const last = this.taken.at(-1) ?? 0
    const byHeader = this.#random.chance(0.5)
    const limit = `limit=${this.#random.between(1, 60)}`
    const stream = await insist(() =>
      EventStreamReader.open(
        `http://127.0.0.1:${port}/chain/feed/stream?${byHeader ? limit : `since_seq=${last}&${limit}`}`,
        { headers: byHeader && last > 0 ? { 'Last-Event-ID': String(last) } : {} },
      ),
    )
    try {
      if (stream.status !== 200) return false
      for (let left = this.#random.between(0, maxFrames); left > 0; ) {
        const frame = await stream.next(this.#timeoutMs()).catch(() => undefined)
        if (frame === undefined) return false
        expect(frame.data?.stale_since_seq ?? false).toBe(false)
        if (frame.id === undefined) continue
        this.taken.push(frame.id)
        left -= 1
      }
      return true
    } finally {
      stream.close()
    }
  }
}

test(`over ${DISCONNECTS} disconnects, kill -9 of the site, restarts of PostgreSQL and cut connections: 0 lost, 0 repeated`, async () => {
  const random = new Random(SEED)
  const feed = await feedTables(sql)
  let disconnects = 0
  let writing = true

  const writer = async (source: Random) => {
    while (disconnects < DISCONNECTS) {
      await insist(() => feed.append(source.between(1, 12)))
      await sleep(source.between(0, 3))
    }
    writing = false
  }
  const read = async (source: Random) => {
    const reader = new RestlessReader(source, () => (writing ? 15_000 : 2_000))
    while (writing) if (await reader.visit(10)) disconnects += 1
    const newest = await insist(async () => {
      const [row] = await sql<{ last: string }[]>`select last_stream_seq as last from worker_state`
      return Number(row?.last)
    })
    while ((reader.taken.at(-1) ?? 0) < newest) await reader.visit(newest)
    return reader.taken
  }
  const faults = async () => {
    const at = async (part: number) => {
      while (disconnects < part * DISCONNECTS) await sleep(5)
    }
    await at(0.2)
    site.kill('SIGKILL')
    await once(site, 'exit')
    site = startSite()
    await at(0.4)
    await server.stop()
    server = await startDatabase(Number(new URL(server.url()).port))
    await at(0.6)
    await cutConnections(true)
    await at(0.75)
    await cutConnections(false)
    await at(0.9)
    process.kill(server.child.pid, 'SIGKILL')
    await server.child.exited
    server = await startDatabase(Number(new URL(server.url()).port))
  }

  const [, , ...readers] = await Promise.all([
    writer(random.fork()),
    faults(),
    ...Array.from({ length: READERS }, () => read(random.fork())),
  ])
  // The first query after a restart may meet a connection of before.
  const kept = await insist(
    () => sql<{ seq: string }[]>`select stream_seq as seq from feed_outbox order by stream_seq`,
  )
  const all = kept.map(({ seq }) => Number(seq))
  expect(all.length).toBeGreaterThan(DISCONNECTS)
  expect(disconnects).toBeGreaterThanOrEqual(DISCONNECTS)
  for (const taken of readers) expect(taken).toEqual(all)
})

/** Connections of the site; the test's own stay. */
async function cutConnections(listenersOnly: boolean): Promise<void> {
  const cut = await insist(
    () => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name in ('weft', 'weft-stream') and (not ${listenersOnly} or query ilike 'listen%')`,
  )
  expect(cut.length).toBeGreaterThan(0)
}
