import type postgres from 'postgres'

/** Key of the advisory lock; arbitrary, but unique in this database. */
export const WRITER_LOCK = 7_301_884_212n

/** Query for the backend `pid` that holds the writer lock; no row while it is free. */
export function lockHolder(sql: postgres.Sql) {
  return sql`
  select pid from pg_locks
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and classid = ${Number(WRITER_LOCK >> 32n)} and objid = ${Number(WRITER_LOCK & 0xffff_ffffn)}`
}
