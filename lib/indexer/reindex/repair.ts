import { appendDeltas, type Delta } from '../outbox.ts'
import type { WriterSql } from '../writer.ts'
import { COMPARED_TABLES, type ComparedTable, newestDeltas } from './compare.ts'
import { SCRATCH } from './scratch.ts'

/**
 * Corrects the live tables row by row; correct rows are not touched. Changed items are appended to the outbox. The
 * caller's transaction locks out the writer.
 */
export async function repairTables(
  sql: WriterSql,
  { finalized, nowMs }: { readonly finalized: number; readonly nowMs: number },
): Promise<void> {
  for (const table of COMPARED_TABLES) {
    if (table.table === 'artifacts') await repairArtifacts(sql)
    else if (table.table === 'feed_items') await repairItems(sql, table, nowMs)
    else await repairTable(sql, table, finalized)
  }
}

/** Never deletes, because drafts have artifacts too. Runs first, because entities reference artifacts. */
async function repairArtifacts(sql: WriterSql): Promise<void> {
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

async function repairTable(
  sql: WriterSql,
  { table, key, columns, where }: ComparedTable,
  finalized: number,
): Promise<void> {
  const rows = (schema: string) =>
    `select ${columns} from ${schema}.${table} where ${where(schema, finalized)}`
  await sql.unsafe(`
    delete from public.${table} where (${key.join(', ')}) in (
      select ${key.join(', ')} from (${rows('public')} except ${rows(SCRATCH)}) wrong)`)
  await sql.unsafe(`
    insert into public.${table} (${columns}) ${rows(SCRATCH)} on conflict do nothing`)
}

async function repairItems(sql: WriterSql, { columns }: ComparedTable, nowMs: number): Promise<void> {
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
  await announceChanges(sql, [...ids, ...removed.map(({ feed_id }) => feed_id)], nowMs)
}

/** Appends a delta for each of `items`, and for each item whose newest delta differs from it. */
async function announceChanges(sql: WriterSql, ids: readonly string[], nowMs: number): Promise<void> {
  const deltas = await sql<Delta[]>`
    select feed_id, event_type, i.status, i.history_cursor, kind, name, owner
    from public.feed_items i left join (${newestDeltas(sql)}) newest using (feed_id)
    where feed_id = any(${[...ids]})
      or (newest.status, newest.history_cursor) <> (i.status, i.history_cursor)
    order by i.history_cursor`
  await appendDeltas(sql, deltas, nowMs)
}
