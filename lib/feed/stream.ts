import type { Context } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import { type OutboxPage, readOutbox, type StreamDelta } from './read-outbox.ts'
import type { Tailer, TailReader } from './tailer.ts'

/** What a stream begins with. */
export interface FeedReplay {
  readonly deltas: readonly StreamDelta[]
  /** Whether more follow at once, beyond the bounded replay. */
  readonly hasMore: boolean
  /** Number of the last replayed delta; null when none was. */
  readonly lastSeq: number | null
  /** Oldest number that can still be had. */
  readonly minAvailableSeq: number
  /** Where the kept part of the outbox begins. */
  readonly replayFloorSeq: number
  /** Whether deltas after the requested number are gone. */
  readonly stale: boolean
}

/** One reader's view of the outbox: every delta once, in order, from where it asked. */
export interface FeedStream {
  readonly replay: FeedReplay
  /** The next deltas; empty when nothing came for a while; undefined when the stream is over. */
  next(): Promise<readonly StreamDelta[] | undefined>
  close(): void
}

export interface FeedStreamInput {
  /** Deltas after this number. */
  readonly sinceSeq: bigint
  /** Deltas in the replay at most. */
  readonly limit: number
}

type StreamServices = Pick<Context, 'db' | 'config' | 'tailer' | 'streamRoom' | 'client'>

const CATCH_UP_BATCH = 500

/**
 * Opens a stream: a bounded replay, then whatever follows. A reader that asks for a number that was not given out yet
 * gets what comes from now on.
 *
 * @param onCut Told when the stream ends because its reader is too far behind; it may resume where it was.
 * @throws {Failure} `too_many` when the client has too many streams, `overloaded` when the server has, `storage_unavailable` when the outbox cannot be read.
 */
export const openFeedStream = async (
  { db, config, tailer, streamRoom, client }: StreamServices,
  { sinceSeq, limit }: FeedStreamInput,
  onCut: () => void = () => {},
): Promise<FeedStream> => {
  if (tailer.closed()) throw new Failure('overloaded', 'The server is stopping')
  if (tailer.status().readers >= config.streams.maxReaders) {
    throw new Failure('overloaded', 'Too many streams are open', { retryAfterSeconds: 5 })
  }
  const leave = streamRoom.enter(client)
  if (leave === undefined) {
    const most = config.streams.maxOfClient
    throw new Failure('too_many', `${most} streams are open from your address: close one first`, {
      retryAfterSeconds: 5,
    })
  }
  tailer.start()
  const after = sinceSeq > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(sinceSeq)
  const epoch = tailer.epoch()
  const page = await readOutbox(db.sql, after, limit + 1).catch((error: unknown) => {
    leave()
    throw new Failure('storage_unavailable', 'The feed cannot be read now', {}, { cause: error })
  })
  const deltas = page.deltas.slice(0, limit)
  const lastSeq = deltas.at(-1)?.streamSeq
  const replay: FeedReplay = {
    deltas,
    hasMore: page.deltas.length > limit,
    lastSeq: lastSeq ?? null,
    minAvailableSeq: page.floor,
    replayFloorSeq: page.floor,
    stale: sinceSeq + 1n < BigInt(page.floor),
  }
  const read = (position: number) => readOutbox(db.sql, position, CATCH_UP_BATCH)
  return new OutboxReader({ tailer, epoch, replay, position: lastSeq ?? page.newest, read, onCut, leave })
}

interface ReaderParts {
  readonly tailer: Tailer
  readonly epoch: number
  readonly replay: FeedReplay
  readonly position: number
  readonly read: (position: number) => Promise<OutboxPage>
  readonly onCut: () => void
  /** Gives the client's place to the next stream. */
  readonly leave: () => void
}

class OutboxReader implements FeedStream, TailReader {
  readonly replay: FeedReplay
  readonly #parts: ReaderParts
  #position: number
  /** From when on all that is needed comes from memory. */
  #live = false
  #over = false

  constructor(parts: ReaderParts) {
    this.replay = parts.replay
    this.#parts = parts
    this.#position = parts.position
    parts.tailer.enter(this)
  }

  livePosition = (): number | undefined => (this.#live ? this.#position : undefined)

  async next(): Promise<readonly StreamDelta[] | undefined> {
    const { tailer, epoch } = this.#parts
    for (;;) {
      // Asked for before looking, so that nothing falls between.
      const change = tailer.changed()
      if (tailer.closed() || tailer.epoch() !== epoch) this.close()
      if (this.#over) return undefined
      const recent = tailer.after(this.#position)
      this.#live = recent !== undefined
      const batch = recent ?? (await this.#catchUp())
      if (this.#over) return undefined
      if (batch.length > 0) {
        this.#position = (batch.at(-1) as StreamDelta).streamSeq
        return batch
      }
      if ((await change) === 'tick') return this.#over ? undefined : []
    }
  }

  /** What memory does not reach back to. */
  async #catchUp(): Promise<readonly StreamDelta[]> {
    // The database may be away for a while; the reader stays.
    const page = await this.#parts.read(this.#position).catch(() => undefined)
    if (page === undefined) return []
    // What comes next was pruned: only a new stream can say so.
    if (page.floor > this.#position + 1) this.cut()
    return page.deltas
  }

  cut(): void {
    if (this.#over) return
    this.close()
    this.#parts.onCut()
  }

  close(): void {
    this.#over = true
    this.#parts.tailer.leave(this)
    this.#parts.leave()
  }
}
