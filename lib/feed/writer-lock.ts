import type postgres from 'postgres'

/** Any fixed number will do, as long as nobody else in this database uses it. */
export const WRITER_LOCK = 7_301_884_212n

/** A query for the number of the database session that holds the writer lock, as `pid`; no row while nobody does. */
export const lockHolder = (sql: postgres.Sql) => sql`
  select pid from pg_locks
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and classid = ${Number(WRITER_LOCK >> 32n)} and objid = ${Number(WRITER_LOCK & 0xffff_ffffn)}`
