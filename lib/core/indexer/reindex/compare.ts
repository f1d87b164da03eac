import type { WriterSql } from '../writer.ts'
import { SCRATCH } from './scratch.ts'

/** The rows and columns of a table that the chain determines. */
export interface ComparedTable {
  readonly table: string
  readonly key: readonly string[]
  /** Columns as SQL, the key among them. */
  readonly columns: string
  /** Condition on the rows that the chain determines; `schema` is the schema of the rows. */
  readonly where: (schema: string, finalized: number) => string
}

function all() {
  return 'true'
}

export const COMPARED_TABLES: readonly ComparedTable[] = [
  {
    table: 'artifacts',
    key: ['content_hash'],
    columns: "content_hash, kind, name, body - 'leaves' as body, leaves",
    // The others belong to drafts.
    where: (schema) => `content_hash in (select artifact_hash from ${schema}.entities)`,
  },
  {
    table: 'entities',
    key: ['kind', 'name'],
    columns:
      'kind, name, owner, address, content_hash, metadata_hash, metadata, title, search_title, search_words, presentation, artifact_hash, format_hash, block_number, block_hash, tx_hash, tx_index, log_index',
    where: all,
  },
  {
    table: 'unverified_publications',
    key: ['kind', 'name'],
    columns: 'kind, name, owner, address, content_hash, reason, block_number, tx_hash',
    where: all,
  },
  {
    table: 'entity_references',
    key: ['kind', 'name', 'connector'],
    columns: 'kind, name, connector, uses',
    where: all,
  },
  {
    table: 'entity_origins',
    key: ['kind', 'name', 'origin_kind', 'origin_name'],
    columns: 'kind, name, origin_kind, origin_name, block_number, tx_index, log_index',
    where: all,
  },
  {
    table: 'source_checks',
    key: ['kind', 'name'],
    // Without the state: it is the work of compilers, not of the chain. A repaired row is checked again.
    columns: 'kind, name, owner, content_hash, metadata_hash, turn, block_number, tx_index, log_index',
    where: all,
  },
  { table: 'accounts', key: ['address'], columns: 'address, published', where: all },
  {
    table: 'formats',
    key: ['format_hash'],
    columns: 'format_hash, scalars, scalars_count, connectors',
    where: all,
  },
  {
    table: 'feed_items',
    key: ['feed_id'],
    columns:
      'feed_id, event_type, status, visible, tx_hash, block_number, block_hash, tx_index, log_index, history_cursor, created_at_ms, projector_version, kind, name, owner, format_hash',
    // Events that a reorg removed are no longer on the chain.
    where: () => 'visible',
  },
  {
    table: 'registry_logs',
    key: ['block_hash', 'log_index'],
    columns: 'block_number, block_hash, tx_hash, tx_index, log_index, topics, data',
    where: all,
  },
  {
    table: 'chain_blocks',
    key: ['number'],
    columns: 'number, hash, parent_hash, timestamp_ms',
    // Which other blocks are stored depends on when the worker read.
    where: (schema, finalized) =>
      `number > ${finalized} and (number in (select block_number from ${schema}.registry_logs)
        or number = (select max(number) from ${schema}.chain_blocks))`,
  },
]

/** A row that differs between the live tables and the index made from the chain. */
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

/**
 * Compares all tables in the snapshot of this transaction.
 *
 * @param schema Of the live tables; the first of the search path.
 */
export async function compareTables(
  sql: WriterSql,
  schema: string,
  finalized: number,
): Promise<TableComparison[]> {
  const comparisons: TableComparison[] = []
  for (const table of COMPARED_TABLES) comparisons.push(await compareTable(sql, table, schema, finalized))
  comparisons.push(await compareOutbox(sql))
  return comparisons
}

async function compareTable(
  sql: WriterSql,
  { table, key, columns, where }: ComparedTable,
  live: string,
  finalized: number,
): Promise<TableComparison> {
  const select = (schema: string) =>
    `select ${columns} from ${schema}.${table} where ${where(schema, finalized)}`
  const rows = await sql.unsafe<{ key: string; live: unknown; from_chain: unknown }[]>(`
    select concat_ws('/', ${key.join(', ')}) as key, to_jsonb(l) as live, to_jsonb(c) as from_chain
    from (${select(live)}) l full join (${select(SCRATCH)}) c using (${key.join(', ')})
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
 * The history in the outbox cannot be derived from the chain; two invariants can be checked: the newest delta of each
 * item equals the item, and the numbers have no gap.
 */
async function compareOutbox(sql: WriterSql): Promise<TableComparison> {
  const stale = await sql<{ key: string; live: unknown; from_chain: unknown }[]>`
    select newest.feed_id as key, to_jsonb(newest) as live, to_jsonb(i) as from_chain
    from (${newestDeltas(sql)}) newest
    join (select feed_id, status, history_cursor from feed_items) i using (feed_id)
    where to_jsonb(newest) is distinct from to_jsonb(i) order by 1`
  const [numbers] = await sql<
    { n: string; oldest: string | null; newest: string | null; last: string | null }[]
  >`
    select count(*) as n, min(stream_seq) as oldest, max(stream_seq) as newest,
      (select last_stream_seq from worker_state) as last
    from feed_outbox`
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

/** Query for the newest delta of each item. */
export function newestDeltas(sql: WriterSql) {
  return sql`
  select distinct on (feed_id) feed_id, status, history_cursor from feed_outbox
  order by feed_id, stream_seq desc`
}
