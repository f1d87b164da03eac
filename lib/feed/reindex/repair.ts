import type { EntityKind } from '../../domain/entity.ts'
import type { FeedStatus } from '../items.ts'
import { appendDeltas, type Delta } from '../outbox.ts'
import type { WriterSql } from '../writer.ts'
import { newestDeltas } from './compare.ts'
import { COMPARED_TABLES, type ComparedTable } from './compared-tables.ts'
import { SCRATCH } from './scratch.ts'

/**
 * Makes the live tables what the chain says, row by row: what is right is not touched. Items that change are announced
 * as deltas, as every change of theirs is. The caller's transaction holds the writer off.
 */
export const repairTables = async (
  sql: WriterSql,
  { finalized, nowMs }: { readonly finalized: number; readonly nowMs: number },
): Promise<void> => {
  for (const table of COMPARED_TABLES) {
    if (table.table === 'artifacts') await repairArtifacts(sql)
    else if (table.table === 'feed_items') await repairItems(sql, table, nowMs)
    else await repairTable(sql, table, finalized)
  }
}

/** Keeps the rows of drafts, and the order: entities refer to artifacts. */
const repairArtifacts = async (sql: WriterSql): Promise<void> => {
  await sql.unsafe(`
    insert into public.leaf_names (key, name) select key, name from ${SCRATCH}.leaf_names
    on conflict (key) do update set name = excluded.name`)
  await sql.unsafe(`
    insert into public.artifacts as live (content_hash, kind, name, body, leaves)
    select content_hash, kind, name, body, leaves from ${SCRATCH}.artifacts
    on conflict (content_hash) do update
      set kind = excluded.kind, name = excluded.name, body = excluded.body, leaves = excluded.leaves
    where (live.kind, live.name, live.body, live.leaves)
      is distinct from (excluded.kind, excluded.name, excluded.body, excluded.leaves)`)
}

const repairTable = async (
  sql: WriterSql,
  { table, key, columns, where }: ComparedTable,
  finalized: number,
): Promise<void> => {
  const rows = (schema: string) =>
    `select ${columns} from ${schema}.${table} where ${where(schema, finalized)}`
  await sql.unsafe(`
    delete from public.${table} where (${key.join(', ')}) in (
      select ${key.join(', ')} from (${rows('public')} except ${rows(SCRATCH)}) wrong)`)
  await sql.unsafe(`
    insert into public.${table} (${columns}) ${rows(SCRATCH)} on conflict do nothing`)
}

const repairItems = async (sql: WriterSql, { columns }: ComparedTable, nowMs: number): Promise<void> => {
  const removed = await sql.unsafe<{ feed_id: string }[]>(`
    update public.feed_items set status = 'removed', visible = false, updated_at_ms = ${nowMs}
    where visible and feed_id not in (select feed_id from ${SCRATCH}.feed_items)
    returning feed_id`)
  const wrong = await sql.unsafe<{ feed_id: string }[]>(`
    select feed_id from (
      select ${columns} from ${SCRATCH}.feed_items except select ${columns} from public.feed_items
    ) right_ones`)
  const ids = wrong.map(({ feed_id }) => feed_id)
  await sql`delete from public.feed_items where feed_id = any(${ids})`
  await sql.unsafe(`
    insert into public.feed_items (${columns}, updated_at_ms)
    select ${columns}, ${nowMs} from ${SCRATCH}.feed_items on conflict (feed_id) do nothing`)
  await announce(sql, [...ids, ...removed.map(({ feed_id }) => feed_id)], nowMs)
}

/** A delta for each item named, and for each whose newest delta says something else than the item. */
const announce = async (sql: WriterSql, ids: readonly string[], nowMs: number): Promise<void> => {
  const rows = await sql<ItemRow[]>`
    select feed_id, event_type, i.status, i.history_cursor, kind, name, owner
    from public.feed_items i left join (${newestDeltas(sql)}) newest using (feed_id)
    where feed_id = any(${[...ids]})
      or (newest.status, newest.history_cursor) <> (i.status, i.history_cursor)
    order by i.history_cursor`
  const deltas = rows.map(
    (row): Delta => ({
      feedId: row.feed_id,
      eventType: row.event_type,
      status: row.status,
      historyCursor: row.history_cursor,
      kind: row.kind,
      name: row.name,
      owner: row.owner,
    }),
  )
  await appendDeltas(sql, deltas, nowMs)
}

interface ItemRow {
  readonly feed_id: string
  readonly event_type: string
  readonly status: FeedStatus
  readonly history_cursor: string
  readonly kind: EntityKind
  readonly name: string
  readonly owner: string
}
