import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { StreamDelta } from '../../lib/feed/outbox-reader.ts'
import { createStreamLimiter, openFeedStream } from '../../lib/feed/stream.ts'
import { createTailer, type Tailer } from '../../lib/feed/tailer.ts'
import { testConfig } from '../support/config.ts'
import type { TestDatabase } from '../support/database.ts'
import type { Delta } from './audit.ts'
import { Random } from './random.ts'

/** The stream of a site and some readers. They run in real time: the worker does not depend on them. */
export interface Audience {
  /** A reader loses its connection, the site loses its database sessions, or the site is restarted. */
  disturb(): Promise<void>
  /**
   * Waits until all readers had time to receive everything. @returns the readers that did not see each delta once, in
   * order.
   */
  missed(deltas: readonly Delta[]): Promise<string[]>
  counts(): Readonly<Record<string, number>>
  close(): Promise<void>
}

const READERS = 3
const PATIENCE_MS = 60_000

export function startAudience(db: TestDatabase, seed: number): Audience {
  const random = new Random(seed)
  const log = pino({ level: 'silent' })
  const config = testConfig()
  const newTailer = () => createTailer({ databaseUrl: db.url, log, tickMs: 100 })
  let tailer: Tailer = newTailer()
  const streamLimiter = createStreamLimiter(config.streams)
  const site = () => ({ db, tailer, streamLimiter })
  const readers = Array.from({ length: READERS }, (_, i) => new StreamReader(site, seed * READERS + i))
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)

  return {
    async disturb() {
      if (random.chance(0.8)) {
        count('streams lost')
        return random.pick(readers).lose()
      }
      if (random.chance(0.7)) {
        count('listeners cut')
        await db.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'weft-stream' and datname = current_database()`
        return
      }
      count('sites restarted')
      tailer.close()
      tailer = newTailer()
    },
    async missed(deltas) {
      const giveUp = Date.now() + PATIENCE_MS
      while (readers.some(({ last }) => last < deltas.length) && Date.now() < giveUp) await sleep(5)
      const all = JSON.stringify(deltas)
      return readers.flatMap(({ seen }, i) =>
        JSON.stringify(seen) === all
          ? []
          : [`reader ${i} saw ${seen.map((delta) => delta.stream_seq).join(' ')}`],
      )
    },
    counts: () => Object.fromEntries(counts),
    async close() {
      for (const reader of readers) reader.stop()
      tailer.close()
      await Promise.all(readers.map(({ done }) => done))
    },
  }
}

/** Resumes from the last delta that came whole, however often the stream breaks. */
class StreamReader {
  readonly seen: Delta[] = []
  readonly done: Promise<void>
  readonly #site: () => Parameters<typeof openFeedStream>[0]
  readonly #random: Random
  #close: (() => void) | undefined
  #connection = 0
  #stopped = false

  constructor(site: () => Parameters<typeof openFeedStream>[0], seed: number) {
    this.#site = site
    this.#random = new Random(seed)
    this.done = this.#read()
  }

  get last(): number {
    return this.seen.at(-1)?.stream_seq ?? 0
  }

  /** Whatever is on its way is lost, but for a part of it at times. */
  lose(): void {
    this.#connection += 1
    this.#close?.()
  }

  stop(): void {
    this.#stopped = true
    this.lose()
  }

  async #read(): Promise<void> {
    while (!this.#stopped) {
      const connection = this.#connection
      const here = () => connection === this.#connection
      try {
        const limit = this.#random.between(1, 60)
        const stream = await openFeedStream(this.#site(), { sinceSeq: BigInt(this.last), limit })
        this.#close = () => stream.close()
        if (!here()) stream.close()
        this.#take(stream.replay.deltas, here())
        while (here()) {
          const deltas = await stream.next()
          if (deltas === undefined) break
          this.#take(deltas, here())
        }
        stream.close()
      } catch {
        // The site is away, or its database is.
        await sleep(20)
      }
    }
  }

  #take(deltas: readonly StreamDelta[], whole: boolean): void {
    const arrived = whole ? deltas : deltas.slice(0, this.#random.between(0, deltas.length))
    for (const { streamSeq, feedId, status, historyCursor } of arrived) {
      this.seen.push({ stream_seq: streamSeq, feed_id: feedId, status, history_cursor: historyCursor })
    }
  }
}
