import type { Context } from '../context.ts'

/** Few, because uploads of the same files wait meanwhile. */
const AT_ONCE = 100
/** Any fixed number will do, as long as nobody else in this database uses it. */
const COLLECTOR_LOCK = 7_301_884_212

/**
 * Deletes every blob whose leases have all expired and that no World refers to: what a deleted World, a replaced
 * bundle, a failed upload or a process that died left behind. Safe at any time and in any number of processes.
 *
 * @returns how many blobs went.
 * @throws Failure('storage_unavailable'); what is left is found again.
 */
export async function collectGarbage(ctx: Pick<Context, 'db' | 'blobs' | 'clock'>): Promise<number> {
  let collected = 0
  for (;;) {
    const round = await collectSome(ctx)
    if (round === undefined) return collected
    collected += round
  }
}

/** @returns undefined when there is nothing to do, or somebody else is doing it. */
async function collectSome(ctx: Pick<Context, 'db' | 'blobs' | 'clock'>): Promise<number | undefined> {
  const now = ctx.clock().toISOString()
  const { sql } = ctx.db
  // Most often there is nothing, which takes no transaction to see.
  const due = await sql`select 1 from blob_leases where expires_at <= ${now} limit 1`
  if (due.length === 0) return undefined
  return sql.begin(async (tx) => {
    // Not waited for: the store may need a connection of its own, which collectors in waiting would all hold.
    const [lock] = await tx<{ mine: boolean }[]>`
      select pg_try_advisory_xact_lock(${COLLECTOR_LOCK}::bigint) as mine`
    if (!lock?.mine) return undefined
    // Locked rows belong to an upload that begins just now.
    const locked = await tx<{ hash: string }[]>`
      select hash from blobs
      where hash in (select hash from blob_leases where expires_at <= ${now} order by expires_at limit ${AT_ONCE})
      order by hash for update skip locked`
    const hashes = locked.map(({ hash }) => hash)
    if (hashes.length === 0) return undefined
    // Each statement sees what was committed before it, and nobody can lease a locked blob.
    await tx`delete from blob_leases where hash = any(${hashes}::text[]) and expires_at <= ${now}`
    const gone = await tx<{ hash: string }[]>`
      delete from blobs b
      where b.hash = any(${hashes}::text[])
        and not exists (select 1 from world_files f where f.hash = b.hash)
        and not exists (select 1 from blob_leases l where l.hash = b.hash)
      returning b.hash`
    // While the rows are locked: who uploads the same file now waits, and then stores it again.
    await ctx.blobs.delete(gone.map(({ hash }) => hash))
    return gone.length
  })
}
