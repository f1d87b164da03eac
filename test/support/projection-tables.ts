import type { ISql } from 'postgres'

/** The projection's tables, without columns that depend on the time of writing. */
export async function projectionTables(sql: ISql) {
  return {
    entities: await sql`select * from entities order by kind, name`,
    unverified: await sql`select * from unverified_publications order by kind, name`,
    references: await sql`select * from entity_references order by kind, name, connector`,
    origins: await sql`select * from entity_origins order by kind, name, origin_kind, origin_name`,
    checks: await sql`
    select kind, name, owner, content_hash, metadata_hash, turn, block_number, tx_index, log_index
    from source_checks order by kind, name`,
    accounts: await sql`select * from accounts order by address`,
    formats: await sql`select * from formats order by format_hash`,
    items: await sql`
    select feed_id, event_type, status, visible, tx_hash, block_number, block_hash, tx_index, log_index,
      history_cursor, created_at_ms, projector_version, kind, name, owner
    from feed_items where visible order by feed_id`,
    logs: await sql`select * from registry_logs order by block_number, log_index`,
    artifacts: await sql`
    select content_hash, kind, name, body from artifacts a
    where exists (select 1 from entities where artifact_hash = a.content_hash) order by content_hash`,
  }
}
