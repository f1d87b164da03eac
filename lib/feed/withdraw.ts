import type { Address, EntityKind, Hash } from '../domain/entity.ts'
import { recountAggregates } from './aggregates.ts'
import { appendDeltas, type Delta } from './outbox.ts'
import type { WriterSql } from './writer.ts'

/**
 * Takes back everything above a block, newest first: entities (their drafts show again), references, accounts,
 * formats, logs and kept blocks; feed items become `removed`. Final items are never touched, because nobody asks for
 * it: the worker stops instead of going below finality.
 */
export const withdraw = async (sql: WriterSql, ancestor: number, nowMs: number): Promise<void> => {
  const gone = await sql<
    { kind: EntityKind; name: string; owner: Address; content_hash: Hash; format_hash: Hash | null }[]
  >`
    delete from entities where block_number > ${ancestor}
    returning kind, name, owner, content_hash, format_hash`
  await sql`delete from unverified_publications where block_number > ${ancestor}`
  const connectors = gone.flatMap(({ kind, name }) => (kind === 'connector' ? [name] : []))
  await sql`delete from entity_references where connector = any(${connectors})`
  await recountAggregates(
    sql,
    gone.map(({ owner, format_hash }) => ({ owner, formatHash: format_hash })),
  )
  // Their transactions usually wait to be mined again, and their owners may ask how they are.
  await sql`
    update publications set stage = 'pending', updated_at = now()
    where (kind, name, owner, content_hash) in (
      select * from unnest(${gone.map(({ kind }) => kind)}::text[], ${gone.map(({ name }) => name)}::text[],
        ${gone.map(({ owner }) => owner)}::text[], ${gone.map((entity) => entity.content_hash)}::text[]))`
  const items = await sql<
    {
      feed_id: string
      event_type: string
      history_cursor: string
      kind: EntityKind
      name: string
      owner: string
    }[]
  >`
    update feed_items set status = 'removed', visible = false, updated_at_ms = ${nowMs}
    where block_number > ${ancestor} and status in ('observed', 'safe')
    returning feed_id, event_type, history_cursor, kind, name, owner`
  const deltas = items
    .map(
      (item): Delta => ({
        feedId: item.feed_id,
        eventType: item.event_type,
        status: 'removed',
        historyCursor: item.history_cursor,
        kind: item.kind,
        name: item.name,
        owner: item.owner,
      }),
    )
    .sort((a, b) => (a.historyCursor < b.historyCursor ? 1 : -1))
  await appendDeltas(sql, deltas, nowMs)
  await sql`delete from registry_logs where block_number > ${ancestor}`
  await sql`delete from chain_blocks where number > ${ancestor}`
}
