import type postgres from 'postgres'
import type { Address, EntityKind } from '../domain/entity.ts'
import type { FeedEventType, FeedStatus } from './items.ts'

/** A change of a feed item, as the outbox delivers it. */
export interface StreamDelta {
  readonly streamSeq: number
  readonly feedId: string
  readonly eventType: FeedEventType
  readonly status: FeedStatus
  readonly historyCursor: string
  /** Unix milliseconds of the change. */
  readonly createdAtMs: number
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
}

/** A stretch of the outbox and the bounds of the whole, all of one moment. */
export interface OutboxPage {
  readonly deltas: readonly StreamDelta[]
  /** Number of the newest delta ever appended; 0 before the first. */
  readonly newest: number
  /** Oldest number still kept, or the next one when none is; 0 before the first. */
  readonly floor: number
}

/** Deltas after `after`, ascending, at most `limit`. */
export const readOutbox = async (sql: postgres.Sql, after: number, limit: number): Promise<OutboxPage> => {
  const rows = await sql<Row[]>`
    select bounds.newest, bounds.oldest, page.*
    from (select
      greatest((select last_stream_seq from worker_state where id = 1),
        (select max(stream_seq) from feed_outbox), 0) as newest,
      (select min(stream_seq) from feed_outbox) as oldest
    ) bounds
    left join lateral (
      select * from feed_outbox where stream_seq > ${after} order by stream_seq limit ${limit}
    ) page on true
    order by page.stream_seq`
  const newest = Number(rows[0]?.newest)
  const oldest = rows[0]?.oldest
  const empty = newest === 0 ? 0 : newest + 1
  return {
    deltas: rows.flatMap((row) => (row.stream_seq === null ? [] : [toDelta(row)])),
    newest,
    floor: oldest == null ? empty : Number(oldest),
  }
}

interface Row {
  readonly newest: string
  readonly oldest: string | null
  /** Null in the only row of an empty page, like every column after it. */
  readonly stream_seq: string | null
  readonly feed_id: string
  readonly event_type: FeedEventType
  readonly status: FeedStatus
  readonly history_cursor: string
  readonly created_at_ms: string
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
}

const toDelta = (row: Row): StreamDelta => ({
  streamSeq: Number(row.stream_seq),
  feedId: row.feed_id,
  eventType: row.event_type,
  status: row.status,
  historyCursor: row.history_cursor,
  createdAtMs: Number(row.created_at_ms),
  kind: row.kind,
  name: row.name,
  owner: row.owner,
})
