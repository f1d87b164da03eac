import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type OutboxLink, openOutboxLink } from './outbox-link.ts'
import type { StreamDelta } from './read-outbox.ts'
import { RecentDeltas } from './recent-deltas.ts'

/** What readers of the stream share in a process: the end of the outbox, read once for all of them. */
export interface Tailer {
  /** Begins to follow the outbox; later calls do nothing. */
  start(): void
  /** The next batch after `position`, empty when there is none; undefined when it is not in memory. */
  after(position: number): readonly StreamDelta[] | undefined
  /** Resolves at the next change: `news` to look for, or a `tick` of the clock that keeps idle streams alive. */
  changed(): Promise<'news' | 'tick'>
  /** Counts how often the outbox was not continued by what came after; positions of before then mean nothing. */
  epoch(): number
  enter(reader: TailReader): void
  leave(reader: TailReader): void
  closed(): boolean
  status(): TailerStatus
  /** Ends every stream. */
  close(): void
}

/** A reader as the tailer knows it. */
export interface TailReader {
  /** Last number handed out, once the reader lives on memory alone; undefined before. */
  livePosition(): number | undefined
  /** It is too far behind, or its position means nothing any more. */
  cut(): void
}

export interface TailerStatus {
  readonly readers: number
  /** Readers that were cut because they did not keep up. */
  readonly cut: number
  /** Newest number read. */
  readonly streamSeq: number
  /** Whether new deltas are being heard of. */
  readonly listening: boolean
}

export interface TailerOptions {
  readonly databaseUrl: string
  readonly log: Logger
  /** Milliseconds between reads when nothing is announced. */
  readonly pollMs?: number
  readonly tickMs?: number
  /** Milliseconds that the database may take to answer before it is asked anew on another connection. */
  readonly patienceMs?: number
  /** Deltas kept in memory: a reader that is further behind is cut. */
  readonly keep?: number
}

const BATCH = 500
const MAX_BACKOFF_MS = 2_000

/** Connects nothing before `start()`. */
export const createTailer = (options: TailerOptions): Tailer => new OutboxTailer(options)

class OutboxTailer implements Tailer {
  readonly #options: TailerOptions
  readonly #pollMs: number
  readonly #recent: RecentDeltas
  readonly #readers = new Set<TailReader>()
  #change = Promise.withResolvers<'news' | 'tick'>()
  #wake = Promise.withResolvers<void>()
  #ticker: NodeJS.Timeout | undefined
  #link: OutboxLink | undefined
  #known = false
  #epoch = 0
  #cut = 0
  readonly #ending = new AbortController()

  constructor(options: TailerOptions) {
    this.#options = options
    this.#pollMs = options.pollMs ?? 1_000
    this.#recent = new RecentDeltas(options.keep ?? 16_384)
  }

  start(): void {
    if (this.#ticker !== undefined || this.closed()) return
    this.#ticker = setInterval(() => this.#announce('tick'), this.#options.tickMs ?? 10_000).unref()
    void this.#run()
  }

  after(position: number): readonly StreamDelta[] | undefined {
    return this.#known ? this.#recent.after(position) : undefined
  }

  changed = (): Promise<'news' | 'tick'> => this.#change.promise
  epoch = (): number => this.#epoch
  enter = (reader: TailReader): void => void this.#readers.add(reader)
  leave = (reader: TailReader): void => void this.#readers.delete(reader)
  closed = (): boolean => this.#ending.signal.aborted

  status(): TailerStatus {
    return {
      readers: this.#readers.size,
      cut: this.#cut,
      streamSeq: this.#recent.to,
      listening: this.#link !== undefined,
    }
  }

  close(): void {
    this.#ending.abort()
    clearInterval(this.#ticker)
    this.#link?.close()
    this.#wake.resolve()
    this.#announce('news')
  }

  /** Follows the outbox over whatever happens to the database. */
  async #run(): Promise<void> {
    let failures = 0
    while (!this.closed()) {
      try {
        const link = await this.#connect()
        this.#link = link
        await this.#follow(link, () => {
          // Readers that could not read either try again.
          if (failures > 0) this.#announce('news')
          failures = 0
        })
      } catch (error) {
        if (this.closed()) break
        failures += 1
        if (failures === 1) this.#options.log.warn({ err: error }, 'the feed stream waits for the database')
        await this.#backOff(Math.min(MAX_BACKOFF_MS, 50 * 2 ** failures))
      } finally {
        this.#link?.close()
        this.#link = undefined
      }
    }
  }

  #connect(): Promise<OutboxLink> {
    const { databaseUrl, patienceMs = 10_000 } = this.#options
    return openOutboxLink({ databaseUrl, patienceMs, wake: () => this.#wake.resolve() })
  }

  async #follow(link: OutboxLink, onRead: () => void): Promise<void> {
    let unheard: number | undefined
    let heard = true
    while (!this.closed()) {
      const { full, last } = await this.#read(link)
      onRead()
      if (full) {
        await breathe()
        continue
      }
      if (unheard !== undefined && link.announced() < unheard) {
        throw new Error('new deltas were not announced: listening again')
      }
      // An announcement may be on its way; by the next look it must have come.
      unheard = !heard && last !== undefined && link.announced() < last ? last : undefined
      heard = await this.#pause(this.#pollMs)
    }
  }

  /** One page from where memory ends. */
  async #read(link: OutboxLink): Promise<{ full: boolean; last: number | undefined }> {
    const position = this.#known ? this.#recent.to : Number.MAX_SAFE_INTEGER
    const { deltas, newest, floor } = await link.read(position, BATCH)
    if (!this.#known || newest < position || floor > position + 1) {
      this.#restart(newest)
      return { full: false, last: undefined }
    }
    this.#recent.add(deltas)
    if (deltas.length > 0) {
      this.#cutWhoIsBehind()
      this.#announce('news')
    }
    return { full: deltas.length === BATCH, last: deltas.at(-1)?.streamSeq }
  }

  /** At the start, and when the outbox went back or lost what was not read yet: a restored backup, a long absence. */
  #restart(newest: number): void {
    this.#recent.restart(newest)
    if (this.#known) {
      this.#epoch += 1
      for (const reader of [...this.#readers]) reader.cut()
    }
    this.#known = true
    this.#announce('news')
  }

  #cutWhoIsBehind(): void {
    const { from } = this.#recent
    for (const reader of [...this.#readers]) {
      const position = reader.livePosition()
      if (position === undefined || position >= from) continue
      this.#cut += 1
      reader.cut()
    }
  }

  #announce(what: 'news' | 'tick'): void {
    const { resolve } = this.#change
    this.#change = Promise.withResolvers()
    resolve(what)
  }

  /** Waits until something is announced, at most `ms`. @returns whether something was. */
  async #pause(ms: number): Promise<boolean> {
    let heard = true
    const timer = setTimeout(() => {
      heard = false
      this.#wake.resolve()
    }, ms)
    await this.#wake.promise
    clearTimeout(timer)
    this.#wake = Promise.withResolvers()
    return heard
  }

  async #backOff(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => {})
  }
}
