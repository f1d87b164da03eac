import type { WriterSql } from '../writer.ts'
import { COMPARED_TABLES, type ComparedTable } from './compared-tables.ts'
import { SCRATCH } from './scratch.ts'

/** A row that the live tables have otherwise than an index made from the chain alone. */
export interface Difference {
  readonly table: string
  readonly key: string
  /** Null when there is no such row. */
  readonly live: unknown
  readonly fromChain: unknown
}

export interface TableComparison {
  readonly table: string
  readonly rows: number
  readonly differences: readonly Difference[]
}

/** Compares all tables as they are in this transaction. */
export const compareTables = async (sql: WriterSql, finalized: number): Promise<TableComparison[]> => {
  const comparisons: TableComparison[] = []
  for (const table of COMPARED_TABLES) comparisons.push(await compareTable(sql, table, finalized))
  comparisons.push(await compareOutbox(sql))
  return comparisons
}

const compareTable = async (
  sql: WriterSql,
  { table, key, columns, where }: ComparedTable,
  finalized: number,
): Promise<TableComparison> => {
  const select = (schema: string) =>
    `select ${columns} from ${schema}.${table} where ${where(schema, finalized)}`
  const rows = await sql.unsafe<{ key: string; live: unknown; from_chain: unknown }[]>(`
    select concat_ws('/', ${key.join(', ')}) as key, to_jsonb(l) as live, to_jsonb(c) as from_chain
    from (${select('public')}) l full join (${select(SCRATCH)}) c using (${key.join(', ')})
    where to_jsonb(l) is distinct from to_jsonb(c) order by 1`)
  const [count] = await sql.unsafe<{ n: number }[]>(`
    select count(*)::int as n from ${SCRATCH}.${table} where ${where(SCRATCH, finalized)}`)
  return {
    table,
    rows: count?.n ?? 0,
    differences: rows.map(({ key, live, from_chain }) => ({ table, key, live, fromChain: from_chain })),
  }
}

/**
 * The outbox tells a history that the chain has forgotten; what can be held against it is its end: the newest delta of
 * an item says what the item is, and the numbers have no gap.
 */
const compareOutbox = async (sql: WriterSql): Promise<TableComparison> => {
  const stale = await sql<{ key: string; live: unknown; from_chain: unknown }[]>`
    select newest.feed_id as key, to_jsonb(newest) as live, to_jsonb(i) as from_chain
    from (${newestDeltas(sql)}) newest
    join (select feed_id, status, history_cursor from public.feed_items) i using (feed_id)
    where to_jsonb(newest) is distinct from to_jsonb(i) order by 1`
  const [numbers] = await sql<
    { n: string; oldest: string | null; newest: string | null; last: string | null }[]
  >`
    select count(*) as n, min(stream_seq) as oldest, max(stream_seq) as newest,
      (select last_stream_seq from public.worker_state) as last
    from public.feed_outbox`
  const differences: Difference[] = stale.map(({ key, live, from_chain }) => ({
    table: 'feed_outbox',
    key,
    live,
    fromChain: from_chain,
  }))
  const { n = '0', oldest = null, newest = null, last = null } = numbers ?? {}
  const whole = Number(n) === 0 || (Number(newest) - Number(oldest) + 1 === Number(n) && newest === last)
  if (!whole) {
    differences.push({
      table: 'feed_outbox',
      key: 'numbers',
      live: { n, oldest, newest, last },
      fromChain: null,
    })
  }
  return { table: 'feed_outbox', rows: Number(n), differences }
}

/** What the outbox said last of each item. */
export const newestDeltas = (sql: WriterSql) => sql`
  select distinct on (feed_id) feed_id, status, history_cursor from public.feed_outbox
  order by feed_id, stream_seq desc`
