import type postgres from 'postgres'

/**
 * Keys of the advisory locks with a number: arbitrary, but unique in the database. All of them are here, so that no two
 * are equal; locks of a single name or account hash a text instead.
 */
export const LOCKS = {
  /** Applies migrations. */
  migration: 7_301_884_211n,
  /** Writes the projection: held by a session as long as its worker lives, or shared by a transaction of a lease's holder. */
  writer: 7_301_884_212n,
  /** Indexes into the scratch schema. */
  reindex: 7_301_884_213n,
  /** Deletes unreferenced blobs. */
  collector: 7_301_884_214n,
  /** Reserves budget and nonces of the sponsor. */
  sponsor: 7_301_884_216n,
} as const

/** Takes a lock for the session without waiting. @returns whether it is held now. */
export async function tryLock(sql: postgres.Sql, lock: bigint): Promise<boolean> {
  const [row] = await sql<{ held: boolean }[]>`select pg_try_advisory_lock(${String(lock)}::bigint) as held`
  return row?.held === true
}

/** Query for the backend `pid` that holds the writer lock; no row while it is free. */
export function writerLockHolder(sql: postgres.Sql) {
  const lock = LOCKS.writer
  return sql`
  select pid from pg_locks
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and classid = ${Number(lock >> 32n)} and objid = ${Number(lock & 0xffff_ffffn)}`
}
