/** How a projected table is compared: which of its rows and columns the chain determines. */
export interface ComparedTable {
  readonly table: string
  readonly key: readonly string[]
  /** Columns as SQL, the key among them. */
  readonly columns: string
  /** Rows the chain says something about; `schema` stands for the schema the rows are in. */
  readonly where: (schema: string, finalized: number) => string
}

const all = () => 'true'

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
      'kind, name, owner, address, content_hash, metadata_hash, metadata, artifact_hash, format_hash, block_number, block_hash, tx_hash, tx_index, log_index',
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
      'feed_id, event_type, status, visible, tx_hash, block_number, block_hash, tx_index, log_index, history_cursor, created_at_ms, projector_version, kind, name, owner',
    // What was taken back the chain does not know any more.
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
    where: (_, finalized) => `number > ${finalized}`,
  },
]
