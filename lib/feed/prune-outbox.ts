import type { WriterSql } from './writer.ts'

const CHUNK = 5_000
const DAY_MS = 86_400_000

/**
 * Drops the oldest deltas that are past their retention, at most a few thousand a call. Always a prefix of the
 * outbox, so that what is left has no gap even when the clock once went back.
 *
 * @returns how many were dropped; call again while it is not 0.
 */
export const pruneOutbox = async (
  sql: WriterSql,
  { retentionDays, nowMs }: { readonly retentionDays: number; readonly nowMs: number },
): Promise<number> => {
  const cutoff = nowMs - retentionDays * DAY_MS
  const dropped = await sql`
    with oldest as (
      select stream_seq, created_at_ms from feed_outbox order by stream_seq limit ${CHUNK}
    )
    delete from feed_outbox
    where stream_seq in (select stream_seq from oldest)
      and stream_seq < coalesce(
        (select min(stream_seq) from oldest where created_at_ms >= ${cutoff}),
        (select max(stream_seq) + 1 from oldest)
      )`
  return dropped.count
}
