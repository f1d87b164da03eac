import postgres from 'postgres'
import { withTimeout } from 'viem'
import { reconnectDelay } from '#lib/platform/db/connect.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { type FeedFilter, passesInSql } from './filter.ts'
import type { FeedEventType, FeedStatus } from './items.ts'
import { FEED_CHANNEL } from './items.ts'

/** The tailer's own connection, for notifications and reads. */
export interface OutboxLink {
  read(after: number, limit: number): Promise<OutboxPage>
  /** Highest delta number notified so far; undefined where nothing is notified. */
  announced(): number | undefined
  close(): void
}

export interface OutboxLinkOptions {
  readonly databaseUrl: string
  /** Connections through a pooler, which loses notifications: they are read from instead of a connection of its own. */
  readonly pooled?: postgres.Sql | undefined
  /** Timeout of every request in milliseconds. */
  readonly timeoutMs: number
  /** Called at every notification, and whenever `LISTEN` is re-established. */
  readonly wake: () => void
}

/** Listens for new deltas. @throws Error when the database does not respond in time, also from `read`. */
export async function openOutboxLink(options: OutboxLinkOptions): Promise<OutboxLink> {
  const { databaseUrl, timeoutMs, wake, pooled } = options
  if (pooled !== undefined) {
    return {
      read: (after, limit) => readOutbox(pooled, after, limit),
      announced: () => undefined,
      close() {},
    }
  }
  const sql = postgres(databaseUrl, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: Math.ceil(timeoutMs / 1000),
    backoff: reconnectDelay,
    onnotice: () => {},
    connection: { application_name: 'weft-stream' },
  })
  let announced = 0
  // A connection whose other end vanished silently must not stall the stream.
  const inTime = <T>(run: () => Promise<T>) =>
    withTimeout(run, { timeout: timeoutMs, errorInstance: new Error('the database does not answer') })
  const close = () => void sql.end({ timeout: 0 }).catch(() => {})
  try {
    await inTime(() =>
      sql.listen(
        FEED_CHANNEL,
        (last) => {
          announced = Math.max(announced, Number(last) || 0)
          wake()
        },
        wake,
      ),
    )
  } catch (error) {
    close()
    throw error
  }
  return {
    read: (after, limit) => inTime(() => readOutbox(sql, after, limit)),
    announced: () => announced,
    close,
  }
}

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
  /** Format of connectors. */
  readonly formatHash: Hash | null
}

/** A delta as streams and webhooks write it. */
export function deltaWire(delta: StreamDelta) {
  return {
    stream_seq: delta.streamSeq,
    event_type: delta.eventType,
    status: delta.status,
    feed_id: delta.feedId,
    history_cursor: delta.historyCursor,
    created_at_ms: delta.createdAtMs,
    payload: { type: delta.kind, name: delta.name, owner: delta.owner },
  }
}

/** A page of the outbox and the bounds of the whole, from one statement. */
export interface OutboxPage {
  readonly deltas: readonly StreamDelta[]
  /** Everything up to this number has been read: what is not in `deltas` does not pass the filter. */
  readonly readTo: number
  /** Number of the newest delta; 0 before the first. */
  readonly newest: number
  /** Oldest retained number, or the next one when none is; 0 before the first. */
  readonly floor: number
}

/** A delta with the bounds of the outbox; all columns of the delta are null in the only row of an empty page. */
type Row = { readonly [Column in keyof StreamDelta]: StreamDelta[Column] | null } & {
  readonly newest: number
  readonly oldest: number | null
}

/** Numbers that one filtered read looks at, so that a filter that nothing passes does not read the whole outbox. */
const FILTER_WINDOW = 5_000

/**
 * Deltas after `after`, ascending, at most `limit`. With a filter it looks at 5,000 numbers at most: `readTo` is where
 * the next read continues.
 */
export async function readOutbox(
  sql: postgres.Sql,
  after: number,
  limit: number,
  filter?: FeedFilter,
): Promise<OutboxPage> {
  const condition =
    filter === undefined
      ? sql`true`
      : sql`stream_seq <= greatest(${after}, coalesce(bounds.oldest, 0) - 1) + ${FILTER_WINDOW}
          and ${passesInSql(sql, filter)}`
  const rows = await sql<Row[]>`
    select bounds.newest::float8, bounds.oldest::float8, page.*
    from (select
      greatest((select last_stream_seq from worker_state where id = 1),
        (select max(stream_seq) from feed_outbox), 0) as newest,
      (select min(stream_seq) from feed_outbox) as oldest
    ) bounds
    left join lateral (
      select stream_seq::float8 as "streamSeq", feed_id as "feedId", event_type as "eventType", status,
        history_cursor as "historyCursor", created_at_ms::float8 as "createdAtMs", kind, name, owner,
        format_hash as "formatHash"
      from feed_outbox where stream_seq > ${after} and ${condition} order by stream_seq limit ${limit}
    ) page on true
    order by page."streamSeq"`
  const newest = rows[0]?.newest ?? 0
  const oldest = rows[0]?.oldest ?? null
  const deltas = rows.flatMap(({ newest: _newest, oldest: _oldest, ...delta }) =>
    delta.streamSeq === null ? [] : [delta as StreamDelta],
  )
  const windowEnd =
    filter === undefined ? newest : Math.min(newest, Math.max(after, (oldest ?? 0) - 1) + FILTER_WINDOW)
  return {
    deltas,
    readTo: deltas.length === limit ? (deltas.at(-1)?.streamSeq ?? after) : windowEnd,
    newest,
    floor: oldest ?? (newest === 0 ? 0 : newest + 1),
  }
}
