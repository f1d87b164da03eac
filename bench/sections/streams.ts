import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { migrate } from '../../lib/platform/db/migrate.ts'
import { feedTables } from '../../test/feed/feed-tables.ts'
import type { BenchPostgres } from '../network/postgres.ts'
import { startStreamServer } from '../network/stream-server.ts'
import { figure } from '../support/format.ts'
import { median } from '../support/measure.ts'
import type { Options, Report } from '../support/report.ts'

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
  const subjects = [
    { name: 'bare', ...(await startStreamServer('bare', databaseUrl, feed)) },
    { name: 'site', ...(await startStreamServer('site', databaseUrl, feed)) },
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
        for (let burst = 0; burst < BURSTS; burst++) await emit(DELTAS)
        await all
        const seconds = (performance.now() - began) / 1000
        if (round > 0) speeds.get(name)!.push((READERS * DELTAS * BURSTS) / seconds)
      }
    }
  } finally {
    for (const readers of open.values()) for (const reader of readers) reader.close()
    await Promise.all(subjects.map(({ close }) => close()))
    await sql.end({ timeout: 1 })
  }
  const [least, ours] = ['bare', 'site'].map((name) => median(speeds.get(name)!)) as [number, number]
  report.line(
    `${figure(ours)} deliveries/s, each delta written to the database first; ${figure(least)} by a bare server ` +
      `(${(ours / least).toFixed(2)}x). ${DELTAS * BURSTS} deltas in ${BURSTS} transactions a round.`,
  )
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
