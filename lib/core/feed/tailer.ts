import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Logger } from 'pino'
import type postgres from 'postgres'
import { type OutboxLink, openOutboxLink, type StreamDelta } from './outbox-reader.ts'

/** Follows the end of the outbox once for all streams of a process. */
export interface Tailer {
  /** Starts following the outbox; later calls do nothing. */
  start(): void
  /** Next batch after `position`, empty when there is none; undefined when it is not in memory. */
  after(position: number): readonly StreamDelta[] | undefined
  /**
   * Resolves with `news` when there may be deltas to read, or with a `tick` at which idle streams send a keep-alive.
   */
  changed(): Promise<'news' | 'tick'>
  /** Number of times the outbox went back or lost unread deltas; positions of an earlier epoch are invalid. */
  epoch(): number
  add(reader: TailReader): void
  remove(reader: TailReader): void
  closed(): boolean
  status(): TailerStatus
  /** Ends every stream. */
  close(): void
}

/** A stream that reads from the tailer. */
export interface TailReader {
  /** Number of the last delta it read, once it reads from memory alone; undefined before. */
  livePosition(): number | undefined
  /** Ends the stream: it is too far behind, or its position is invalid. */
  disconnect(): void
}

export interface TailerStatus {
  readonly readers: number
  /** Slow consumers disconnected so far. */
  readonly disconnected: number
  /** Number of the newest delta read. */
  readonly streamSeq: number
  /** Whether `LISTEN` is active. */
  readonly listening: boolean
}

export interface TailerOptions {
  readonly databaseUrl: string
  /** Connections through a pooler, which loses notifications: the tailer polls with them. */
  readonly pooled?: postgres.Sql | undefined
  readonly log: Logger
  /** Polling interval in milliseconds without notifications. */
  readonly pollMs?: number
  readonly tickMs?: number
  /** Milliseconds to wait for the database before reconnecting. */
  readonly timeoutMs?: number
  /** Deltas in memory: a reader that is further behind is disconnected. */
  readonly bufferSize?: number
}

const BATCH = 500
const MAX_BACKOFF_MS = 2_000

/** Connects nothing before `start()`. */
export function createTailer(options: TailerOptions): Tailer {
  return new OutboxTailer(options)
}

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
  #disconnected = 0
  readonly #ending = new AbortController()

  constructor(options: TailerOptions) {
    this.#options = options
    this.#pollMs = options.pollMs ?? 1_000
    this.#recent = new RecentDeltas(options.bufferSize ?? 16_384)
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
  add = (reader: TailReader): void => void this.#readers.add(reader)
  remove = (reader: TailReader): void => void this.#readers.delete(reader)
  closed = (): boolean => this.#ending.signal.aborted

  status(): TailerStatus {
    return {
      readers: this.#readers.size,
      disconnected: this.#disconnected,
      streamSeq: this.#recent.to,
      listening: this.#link?.announced() !== undefined,
    }
  }

  close(): void {
    this.#ending.abort()
    clearInterval(this.#ticker)
    this.#link?.close()
    this.#wake.resolve()
    this.#announce('news')
  }

  /** Follows the outbox; reconnects with backoff when the database fails. */
  async #run(): Promise<void> {
    let failures = 0
    while (!this.closed()) {
      try {
        const link = await this.#connect()
        this.#link = link
        await this.#follow(link, () => {
          // Wakes readers whose own reads failed, so that they retry.
          if (failures > 0) this.#announce('news')
          failures = 0
        })
      } catch (error) {
        if (this.closed()) break
        failures += 1
        if (failures === 1)
          this.#options.log.warn({ err: error }, 'Lost the connection of the feed stream, reconnecting')
        await this.#backOff(Math.min(MAX_BACKOFF_MS, 50 * 2 ** failures))
      } finally {
        this.#link?.close()
        this.#link = undefined
      }
    }
  }

  #connect(): Promise<OutboxLink> {
    const { databaseUrl, pooled, timeoutMs = 10_000 } = this.#options
    return openOutboxLink({ databaseUrl, pooled, timeoutMs, wake: () => this.#wake.resolve() })
  }

  async #follow(link: OutboxLink, onRead: () => void): Promise<void> {
    let unannounced: number | undefined
    let notified = true
    while (!this.closed()) {
      const { full, last } = await this.#read(link)
      onRead()
      if (full) {
        await yieldToEventLoop()
        continue
      }
      const announced = link.announced() ?? Number.POSITIVE_INFINITY
      if (unannounced !== undefined && announced < unannounced) {
        throw new Error('deltas arrived without notification: listening anew')
      }
      // A notification may still be on its way; by the next read it must have arrived.
      unannounced = !notified && last !== undefined && announced < last ? last : undefined
      notified = await this.#pause(this.#pollMs)
    }
  }

  /** Reads one page after the newest delta in memory. */
  async #read(link: OutboxLink): Promise<{ full: boolean; last: number | undefined }> {
    const position = this.#known ? this.#recent.to : Number.MAX_SAFE_INTEGER
    const { deltas, newest, floor } = await link.read(position, BATCH)
    if (!this.#known || newest < position || floor > position + 1) {
      this.#restart(newest)
      return { full: false, last: undefined }
    }
    this.#recent.add(deltas)
    if (deltas.length > 0) {
      this.#disconnectSlowConsumers()
      this.#announce('news')
    }
    return { full: deltas.length === BATCH, last: deltas.at(-1)?.streamSeq }
  }

  /** Restarts at the newest delta: at the start, and when the outbox went back or lost unread deltas (restored backup). */
  #restart(newest: number): void {
    this.#recent.restart(newest)
    if (this.#known) {
      this.#epoch += 1
      for (const reader of [...this.#readers]) reader.disconnect()
    }
    this.#known = true
    this.#announce('news')
  }

  #disconnectSlowConsumers(): void {
    const { from } = this.#recent
    for (const reader of [...this.#readers]) {
      const position = reader.livePosition()
      if (position === undefined || position >= from) continue
      this.#disconnected += 1
      reader.disconnect()
    }
  }

  #announce(what: 'news' | 'tick'): void {
    const { resolve } = this.#change
    this.#change = Promise.withResolvers()
    resolve(what)
  }

  /** Waits for a notification, at most `ms`. @returns whether one arrived. */
  async #pause(ms: number): Promise<boolean> {
    let notified = true
    const timer = setTimeout(() => {
      notified = false
      this.#wake.resolve()
    }, ms)
    await this.#wake.promise
    clearTimeout(timer)
    this.#wake = Promise.withResolvers()
    return notified
  }

  async #backOff(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => {})
  }
}

/** Buffer of the newest deltas, ascending. */
class RecentDeltas {
  readonly #size: number
  #deltas: StreamDelta[] = []
  #from = 0
  #to = 0

  /** @param size Most deltas to hold. */
  constructor(size: number) {
    this.#size = size
  }

  /** Everything after this number is in memory. */
  get from(): number {
    return this.#from
  }

  /** Newest number. */
  get to(): number {
    return this.#to
  }

  /** Clears the buffer; the next delta follows `position`. */
  restart(position: number): void {
    this.#deltas = []
    this.#from = position
    this.#to = position
  }

  /** @param deltas Ascending, all newer than what is here. */
  add(deltas: readonly StreamDelta[]): void {
    this.#deltas.push(...deltas)
    this.#to = deltas.at(-1)?.streamSeq ?? this.#to
    const dropped = this.#deltas.splice(0, Math.max(0, this.#deltas.length - this.#size))
    this.#from = dropped.at(-1)?.streamSeq ?? this.#from
  }

  /** The next deltas after `position`, empty when there are none; undefined when they are not in memory any more. */
  after(position: number): readonly StreamDelta[] | undefined {
    if (position < this.#from) return undefined
    const at = this.#deltas.findLastIndex(({ streamSeq }) => streamSeq <= position) + 1
    return this.#deltas.slice(at, at + BATCH)
  }
}
