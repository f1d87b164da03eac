import type { Finality } from '../feed/items.ts'
import { appendDeltas, type Delta } from './outbox.ts'
import type { WriterSql } from './writer.ts'

/** Moves items from observed to safe to finalized up to the given heights, with one delta for each change. */
export async function advanceFinality(
  sql: WriterSql,
  { safe, finalized }: Finality,
  nowMs: number,
): Promise<void> {
  const moved = await sql<Delta[]>`
    update feed_items
    set status = case when block_number <= ${finalized} then 'finalized' else 'safe' end, updated_at_ms = ${nowMs}
    where (status in ('observed', 'safe') and block_number <= ${finalized})
       or (status = 'observed' and block_number <= ${safe})
    returning feed_id, event_type, status, history_cursor, kind, name, owner`
  const ascending = moved.toSorted((a, b) => (a.history_cursor < b.history_cursor ? -1 : 1))
  await appendDeltas(sql, ascending, nowMs)
}
