import type { EntityKind } from '../domain/entity.ts'
import type { FeedStatus } from './items.ts'
import type { WriterSql } from './writer.ts'

/** Channel that wakes readers of the outbox. Only a hint: the outbox is the delivery. */
export const FEED_CHANNEL = 'weft_feed'

export interface Delta {
  readonly feedId: string
  readonly eventType: string
  readonly status: FeedStatus
  readonly historyCursor: string
  readonly kind: EntityKind
  readonly name: string
  readonly owner: string
}

const ROWS_PER_INSERT = 1000

/**
 * Appends deltas, numbered without gaps in the order given. The single writer's transactions commit one after the
 * other, so a reader that sees a number has all lower ones.
 */
export const appendDeltas = async (
  sql: WriterSql,
  deltas: readonly Delta[],
  nowMs: number,
): Promise<void> => {
  if (deltas.length === 0) return
  const [row] = await sql<{ last: string }[]>`
    update worker_state set last_stream_seq = last_stream_seq + ${deltas.length} where id = 1
    returning last_stream_seq as last`
  if (row === undefined) throw new Error('worker_state is empty')
  const first = Number(row.last) - deltas.length + 1
  const rows = deltas.map((delta, index) => ({
    stream_seq: first + index,
    feed_id: delta.feedId,
    event_type: delta.eventType,
    status: delta.status,
    history_cursor: delta.historyCursor,
    created_at_ms: nowMs,
    kind: delta.kind,
    name: delta.name,
    owner: delta.owner,
  }))
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    await sql`insert into feed_outbox ${sql(rows.slice(at, at + ROWS_PER_INSERT))}`
  }
  await sql`select pg_notify(${FEED_CHANNEL}, ${row.last})`
}
