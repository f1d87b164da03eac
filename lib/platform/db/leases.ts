import type postgres from 'postgres'

/** Names of leases. */
export const LEASES = {
  /** Writes the projection, where a pooler keeps no session that could hold the lock for it. */
  writer: 'writer',
  /** Compiles published sources. */
  sourceChecks: 'source-checks',
} as const

type Queries = postgres.Sql | postgres.TransactionSql

/**
 * Takes or renews a lease: a free, an expired, or the holder's own one. In a transaction its row stays locked until the
 * end, so that no other process gets it in the middle.
 *
 * @returns whether `holder` has it now.
 */
export async function claimLease(
  sql: Queries,
  name: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const rows = await sql`
    insert into leases as held (name, holder, expires_at)
    values (${name}, ${holder}, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where held.holder = excluded.holder or held.expires_at < clock_timestamp()
    returning 1`
  return rows.length > 0
}

/** Renews a lease that no other process has taken since. @returns whether it is still held. */
export async function renewLease(
  sql: Queries,
  name: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const rows = await sql`
    update leases set expires_at = clock_timestamp() + make_interval(secs => ${seconds})
    where name = ${name} and holder = ${holder} returning 1`
  return rows.length > 0
}

export async function releaseLease(sql: Queries, name: string, holder: string): Promise<void> {
  await sql`delete from leases where name = ${name} and holder = ${holder}`
}
