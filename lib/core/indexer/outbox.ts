import { FEED_CHANNEL, type FeedEventType, type FeedStatus } from '#lib/core/feed/items.ts'
import type { EntityKind, Hash } from '#lib/protocol/entity.ts'
import type { WriterSql } from './writer.ts'

/** A change of a feed item, in the columns that `feed_items` and `feed_outbox` share. */
export interface Delta {
  readonly feed_id: string
  readonly event_type: FeedEventType
  readonly status: FeedStatus
  readonly history_cursor: string
  readonly kind: EntityKind
  readonly name: string
  readonly owner: string
  /** Format of connectors. */
  readonly format_hash: Hash | null
}

const ROWS_PER_INSERT = 1000

/**
 * Appends deltas, numbered without gaps in the order of the array. The single writer's transactions commit one after
 * the other, so a reader that sees a number has all lower ones.
 */
export async function appendDeltas(sql: WriterSql, deltas: readonly Delta[], nowMs: number): Promise<void> {
  if (deltas.length === 0) return
  const [row] = await sql<{ last: string }[]>`
    update worker_state set last_stream_seq = last_stream_seq + ${deltas.length} where id = 1
    returning last_stream_seq as last`
  if (row === undefined) throw new Error('worker_state is empty')
  const first = Number(row.last) - deltas.length + 1
  const rows = deltas.map((delta, i) => ({ ...delta, stream_seq: first + i, created_at_ms: nowMs }))
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    await sql`insert into feed_outbox ${sql(rows.slice(at, at + ROWS_PER_INSERT))}`
  }
  await sql`select pg_notify(${FEED_CHANNEL}, ${row.last})`
}

const PRUNE_BATCH = 5_000
const DAY_MS = 86_400_000

/**
 * Deletes the oldest deltas past their retention, at most 5,000 a call. Always a prefix of the outbox, so that the
 * rest has no gap even when the clock once went back.
 *
 * @returns the number of deleted deltas; call again while it is not 0.
 */
export async function pruneOutbox(
  sql: WriterSql,
  { retentionDays, nowMs }: { readonly retentionDays: number; readonly nowMs: number },
): Promise<number> {
  const cutoff = nowMs - retentionDays * DAY_MS
  const deleted = await sql`
    with oldest as (
      select stream_seq, created_at_ms from feed_outbox order by stream_seq limit ${PRUNE_BATCH}
    )
    delete from feed_outbox
    where stream_seq in (select stream_seq from oldest)
      and stream_seq < coalesce(
        (select min(stream_seq) from oldest where created_at_ms >= ${cutoff}),
        (select max(stream_seq) + 1 from oldest)
      )`
  return deleted.count
}
