import type { EntityKind } from '../domain/entity.ts'
import type { Finality } from './items.ts'
import { appendDeltas } from './outbox.ts'
import type { WriterSql } from './writer.ts'

/** Moves items on from observed to safe to finalized as far as the heights allow, each change a delta. */
export const settle = async (sql: WriterSql, { safe, finalized }: Finality, nowMs: number): Promise<void> => {
  const moved = await sql<
    {
      feed_id: string
      event_type: string
      status: 'safe' | 'finalized'
      history_cursor: string
      kind: EntityKind
      name: string
      owner: string
    }[]
  >`
    update feed_items
    set status = case when block_number <= ${finalized} then 'finalized' else 'safe' end, updated_at_ms = ${nowMs}
    where (status in ('observed', 'safe') and block_number <= ${finalized})
       or (status = 'observed' and block_number <= ${safe})
    returning feed_id, event_type, status, history_cursor, kind, name, owner`
  const deltas = moved
    .map((item) => ({
      feedId: item.feed_id,
      eventType: item.event_type,
      status: item.status,
      historyCursor: item.history_cursor,
      kind: item.kind,
      name: item.name,
      owner: item.owner,
    }))
    .sort((a, b) => (a.historyCursor < b.historyCursor ? -1 : 1))
  await appendDeltas(sql, deltas, nowMs)
}
