import { setTimeout as sleep } from 'node:timers/promises'
import { lt, lte } from 'drizzle-orm'
import type { Context, Services } from '#lib/core/context/context.ts'
import { openBlobStore } from '#lib/platform/blobs/open-blob-store.ts'
import { LOCKS } from '#lib/platform/db/advisory-locks.ts'
import { createDatabase } from '#lib/platform/db/client.ts'
import { storedBytes, worldPreviews } from '#lib/platform/db/schema/index.ts'
import { storageDay } from './storage-quota.ts'
import { collectVersions } from './world-versions.ts'

/** Small, because uploads of the same files wait for the locks. */
const BATCH = 100

/**
 * Deletes every blob whose leases have all expired and that no World refers to: what a deleted World, a replaced
 * bundle, a failed upload or a process that died left behind. Safe at any time and in any number of processes.
 *
 * @returns how many blobs were deleted.
 * @throws {Failure} `storage_unavailable`; the next call collects the rest.
 */
export async function collectGarbage(ctx: Pick<Context, 'db' | 'blobs' | 'clock'>): Promise<number> {
  let collected = 0
  for (;;) {
    const round = await collectSome(ctx)
    if (round === undefined) return collected
    collected += round
  }
}

/** @returns undefined when there is nothing to do, or another process does it. */
async function collectSome(ctx: Pick<Context, 'db' | 'blobs' | 'clock'>): Promise<number | undefined> {
  const now = ctx.clock().toISOString()
  const { sql } = ctx.db
  // Mostly there is nothing, which needs no transaction.
  const due = await sql`select 1 from blob_leases where expires_at <= ${now} limit 1`
  if (due.length === 0) return undefined
  return sql.begin(async (tx) => {
    // `try`: the store may need a separate connection, and waiting collectors would hold them all.
    const [lock] = await tx<{ mine: boolean }[]>`
      select pg_try_advisory_xact_lock(${String(LOCKS.collector)}::bigint) as mine`
    if (!lock?.mine) return undefined
    // Rows that are locked belong to an upload that begins now.
    const locked = await tx<{ hash: string }[]>`
      select hash from blobs
      where hash in (select hash from blob_leases where expires_at <= ${now} order by expires_at limit ${BATCH})
      order by hash for update skip locked`
    const hashes = locked.map(({ hash }) => hash)
    if (hashes.length === 0) return undefined
    // Each statement sees what was committed before it, and a locked blob cannot be leased.
    await tx`delete from blob_leases where hash = any(${hashes}::text[]) and expires_at <= ${now}`
    const deleted = await tx<{ hash: string }[]>`
      delete from blobs b
      where b.hash = any(${hashes}::text[])
        and not exists (select 1 from world_files f where f.hash = b.hash)
        and not exists (select 1 from world_version_files f where f.hash = b.hash)
        and not exists (select 1 from blob_leases l where l.hash = b.hash)
      returning b.hash`
    // While the rows are locked: an upload of the same file waits, and then stores it again.
    await ctx.blobs.delete(deleted.map(({ hash }) => hash))
    return deleted.length
  })
}

/** Short, because what waits for collection counts as stored: files that no World refers to must not fill a site. */
const INTERVAL_MS = 10_000
const EXPIRY_INTERVAL_MS = 10 * 60_000

/** Collects garbage at an interval, and deletes expired previews and versions at a longer one, until `signal` aborts. Logs failures and retries. */
export async function sweepGarbage(
  { config, log, clock }: Pick<Services, 'config' | 'log' | 'clock'>,
  signal: AbortSignal,
  intervalMs = INTERVAL_MS,
): Promise<void> {
  const db = createDatabase(config.databaseUrl, { max: 1 })
  const blobs = openBlobStore(config)
  let nextExpiryMs = 0
  while (!signal.aborted) {
    try {
      if (performance.now() >= nextExpiryMs) {
        await deleteExpired({ db, clock })
        nextExpiryMs = performance.now() + EXPIRY_INTERVAL_MS
      }
      const collected = await collectGarbage({ db, blobs, clock })
      if (collected > 0) log.info({ collected }, 'deleted unreferenced files of Worlds')
    } catch (error) {
      log.warn({ err: error }, 'unused files of Worlds could not be deleted yet')
    }
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined)
  }
  await Promise.all([db.close(), blobs.close()])
}

/** Deletes previews and earlier versions of Worlds, whose files are collected with their leases, and the counts of stored bytes of earlier days. */
export async function deleteExpired({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db.orm.delete(worldPreviews).where(lte(worldPreviews.expiresAt, clock()))
  await collectVersions({ db, clock })
  await db.orm.delete(storedBytes).where(lt(storedBytes.day, storageDay(clock())))
}
