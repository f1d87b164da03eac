import type { Database } from '#lib/platform/db/client.ts'
import type { Release } from '#lib/platform/limits/fair-scheduler.ts'
import type { Places } from '#lib/platform/limits/places.ts'
import type { Principal } from '#lib/platform/limits/principal.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { type FeedFilter, passes } from './filter.ts'
import { type OutboxPage, readOutbox, type StreamDelta } from './outbox-reader.ts'
import type { Tailer, TailReader } from './tailer.ts'

/** Bounded replay at the start of a stream. */
export interface FeedReplay {
  readonly deltas: readonly StreamDelta[]
  /** Whether more deltas exist beyond the bounded replay. */
  readonly hasMore: boolean
  /** Number of the last replayed delta; null when none was. */
  readonly lastSeq: number | null
  /** Oldest available number. */
  readonly minAvailableSeq: number
  /** Oldest retained number. */
  readonly replayFloorSeq: number
  /** Whether deltas after the requested number were pruned. */
  readonly stale: boolean
}

/** A stream of the outbox: every delta that passes its filter once, in order, from the requested position. */
export interface FeedStream {
  readonly replay: FeedReplay
  /** Next deltas; empty as a keep-alive; undefined when the stream has ended. */
  next(): Promise<readonly StreamDelta[] | undefined>
  /** Everything up to this number was returned, or does not pass the filter. */
  position(): number
  close(): void
}

export interface FeedStreamInput {
  /** Deltas after this number. */
  readonly sinceSeq: bigint
  /** Deltas in the replay at most. */
  readonly limit: number
  /** By default everything. */
  readonly filter?: FeedFilter | undefined
}

interface StreamServices {
  readonly db: Database
  readonly tailer: Tailer
  readonly places: Pick<Places, 'streams'>
  readonly principal?: Principal | undefined
}

const CATCH_UP_BATCH = 500

/**
 * Numbers by which a position may lie ahead of this process's view of the outbox. One further ahead is of another
 * history: of a database that was restored since.
 */
const IN_FLIGHT = 1_000

/**
 * Opens a stream: a bounded replay, then live deltas. With a position beyond the newest delta it starts there.
 *
 * @param onDisconnect Called when the stream ends because its reader is too slow; it may resume at its position.
 * @throws {Failure} `too_many` when the client has too many streams, `overloaded` when the server has, `storage_unavailable` when the outbox cannot be read.
 */
export async function openFeedStream(
  { db, tailer, places, principal }: StreamServices,
  { sinceSeq, limit, filter }: FeedStreamInput,
  onDisconnect: () => void = () => {},
): Promise<FeedStream> {
  if (tailer.closed()) throw new Failure('overloaded', 'The server is stopping')
  const release = await places.streams.acquire(principal)
  tailer.start()
  const after = sinceSeq > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(sinceSeq)
  const epoch = tailer.epoch()
  const page = await readOutbox(db.sql, after, limit + 1, filter).catch((error: unknown) => {
    release()
    throw new Failure('storage_unavailable', 'The feed cannot be read now', {}, { cause: error })
  })
  const deltas = page.deltas.slice(0, limit)
  const lastSeq = deltas.at(-1)?.streamSeq
  const replay: FeedReplay = {
    deltas,
    hasMore: page.deltas.length > limit || page.readTo < page.newest,
    lastSeq: lastSeq ?? null,
    minAvailableSeq: page.floor,
    replayFloorSeq: page.floor,
    stale: sinceSeq + 1n < BigInt(page.floor) || sinceSeq > BigInt(page.newest + IN_FLIGHT),
  }
  const read = (position: number) => readOutbox(db.sql, position, CATCH_UP_BATCH, filter)
  return new OutboxReader({
    tailer,
    epoch,
    replay,
    position: page.deltas.length > limit && lastSeq !== undefined ? lastSeq : page.readTo,
    filter,
    read,
    onDisconnect,
    release,
  })
}

interface ReaderParts {
  readonly tailer: Tailer
  readonly epoch: number
  readonly replay: FeedReplay
  readonly position: number
  readonly filter: FeedFilter | undefined
  readonly read: (position: number) => Promise<OutboxPage>
  readonly onDisconnect: () => void
  /** Releases the client's slot. */
  readonly release: Release
}

class OutboxReader implements FeedStream, TailReader {
  readonly replay: FeedReplay
  readonly #parts: ReaderParts
  #position: number
  /** Whether all further deltas come from memory. */
  #live = false
  #ended = false

  constructor(parts: ReaderParts) {
    this.replay = parts.replay
    this.#parts = parts
    this.#position = parts.position
    parts.tailer.add(this)
  }

  livePosition = (): number | undefined => (this.#live ? this.#position : undefined)
  position = (): number => this.#position

  async next(): Promise<readonly StreamDelta[] | undefined> {
    const { tailer, epoch, filter } = this.#parts
    for (;;) {
      // Subscribed before reading, so that no change is missed.
      const change = tailer.changed()
      if (tailer.closed() || tailer.epoch() !== epoch) this.close()
      if (this.#ended) return undefined
      const recent = tailer.after(this.#position)
      this.#live = recent !== undefined
      const before = this.#position
      const batch = recent === undefined ? await this.#catchUp() : this.#take(recent, filter)
      if (this.#ended) return undefined
      if (batch.length > 0) return batch
      // What passed no filter is read on at once; from the database with a keep-alive between two reads.
      if (this.#position > before) {
        if (recent === undefined) return []
        continue
      }
      if ((await change) === 'tick') return this.#ended ? undefined : []
    }
  }

  #take(batch: readonly StreamDelta[], filter: FeedFilter | undefined): readonly StreamDelta[] {
    this.#position = batch.at(-1)?.streamSeq ?? this.#position
    return filter === undefined ? batch : batch.filter((delta) => passes(filter, delta))
  }

  /** Reads from the database what is no longer in memory. */
  async #catchUp(): Promise<readonly StreamDelta[]> {
    // The stream outlives an outage of the database.
    const page = await this.#parts.read(this.#position).catch(() => undefined)
    if (page === undefined) return []
    // The next delta was pruned: only a new stream can report that.
    if (page.floor > this.#position + 1) this.disconnect()
    else this.#position = Math.max(this.#position, page.readTo)
    return page.deltas
  }

  disconnect(): void {
    if (this.#ended) return
    this.close()
    this.#parts.onDisconnect()
  }

  close(): void {
    this.#ended = true
    this.#parts.tailer.remove(this)
    this.#parts.release()
  }
}
