import { randomUUID } from 'node:crypto'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { BundleFile, CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import { mostExtracted } from '#lib/compute/bundle/limits.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { accountShare } from '#lib/core/identity/client-network.ts'
import type { Database } from '#lib/platform/db/client.ts'
import { blobLeases, blobs, worldFiles } from '#lib/platform/db/schema/index.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { countStored, requireRoom, requireShare } from './storage-quota.ts'
import { CAPTURED_PATH } from './world.ts'

const CONCURRENT_WRITES = 4

/**
 * Checks an upload, of every way in, and passes on the bundle with the content of its files. Few at a time are held so, and
 * the memory budget counts the most that each can have.
 *
 * @throws {Failure} As `BundleChecker.check`; `overloaded` where too many wait, or memory is short.
 */
export function withBundle<T>(
  ctx: Context,
  zip: Uint8Array,
  use: (bundle: CheckedBundle) => Promise<T>,
): Promise<T> {
  return ctx.places.bundles.run(async () => {
    // Of no client: the places bound those, and the part of one has no room for a large bundle.
    const reservation = ctx.memory.reserve(undefined, 'bundleCheck')
    try {
      reservation.add(mostExtracted(zip.byteLength))
      return await use(await ctx.bundles.check(zip, ctx.signal))
    } finally {
      reservation.release()
    }
  }, ctx)
}

/**
 * Stores the files of a bundle, then runs `publish` in one transaction. When any of it fails, or the process
 * dies, the worker deletes the files that are in no other World.
 */
export async function storeBundle<T>(
  ctx: Context,
  bundle: CheckedBundle,
  publish: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const files = storedFiles(bundle)
  return storeFiles(ctx, files, (present) => writeMissing(ctx, files, present), publish)
}

/** Everything that is stored of a published bundle. */
export function storedFiles({ files, asUploaded }: CheckedBundle): readonly BundleFile[] {
  return [...files, ...asUploaded]
}

/**
 * As `storeBundle`, of files from anywhere.
 *
 * @param write Stores the files, except those that are present.
 */
export async function storeFiles<T>(
  ctx: Context,
  files: readonly Blob[],
  write: (present: ReadonlySet<string>) => Promise<void>,
  publish: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const share = await accountShare(ctx, requireSession(ctx).address)
  const { leaseId, present } = await leaseBlobs(ctx, files, { share })
  try {
    await write(present)
    return await ctx.db.orm.transaction(async (tx) => {
      await redeemLease(tx, ctx.clock(), leaseId)
      const published = await publish(tx)
      await requireShare(ctx, tx, share)
      return published
    })
  } catch (error) {
    await releaseLease(ctx, leaseId)
    throw error
  }
}

/** Leaves the blobs that only this lease refers to for collection. Failures are logged, not thrown. */
export async function releaseLease(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  leaseId: string,
): Promise<void> {
  try {
    await db.orm.update(blobLeases).set({ expiresAt: clock() }).where(eq(blobLeases.leaseId, leaseId))
  } catch (error) {
    log.warn({ err: error, leaseId }, 'unreferenced files of a World stay until their lease expires')
  }
}

/** Stores the leased files of a bundle, except those that are present. */
export async function writeMissing(
  ctx: Context,
  all: readonly BundleFile[],
  present: ReadonlySet<string>,
): Promise<void> {
  const byHash = new Map(all.map((file) => [file.hash, file] as const))
  const files = [...byHash.values()].filter(({ hash }) => !present.has(hash))
  const stop = new AbortController()
  const write = async () => {
    try {
      for (let file = files.pop(); file !== undefined; file = files.pop()) {
        ctx.signal.throwIfAborted()
        stop.signal.throwIfAborted()
        await ctx.blobs.put(file.hash, file.bytes)
      }
    } catch (error) {
      stop.abort(error)
      throw error
    }
  }
  // Waits for all, also when one fails: nothing may still be writing when the lease is dropped.
  const ends = await Promise.allSettled(Array.from({ length: CONCURRENT_WRITES }, write))
  if (ends.some(({ status }) => status === 'rejected')) throw stop.signal.reason
}

export type Transaction = Parameters<Parameters<Database['orm']['transaction']>[0]>[0]

/** Far longer than an upload takes, so that only leases of dead processes expire. */
const LEASE_MS = 60 * 60_000

interface Blob {
  readonly hash: string
  readonly size: number
}

/**
 * Registers blobs that are about to be written and protects them from collection. Committed before the first byte is
 * stored, so that the collector finds them whatever happens to the process.
 *
 * @param options.share Key of the account that they count for; those of a preview, which ends, count for none.
 * @returns the lease, and which of the blobs a World refers to: those are stored already.
 * @throws {Failure} `storage_full`
 */
export async function leaseBlobs(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  files: readonly Blob[],
  { forMs = LEASE_MS, share }: { readonly forMs?: number; readonly share?: string },
): Promise<{ readonly leaseId: string; readonly present: ReadonlySet<string> }> {
  const leaseId = randomUUID()
  const expiresAt = new Date(ctx.clock().getTime() + forMs)
  // In one order everywhere, so that uploads with common files wait for each other and never in a circle.
  const rows = [...new Map(files.map(({ hash, size }) => [hash, { hash, size }] as const)).values()].toSorted(
    (a, b) => (a.hash < b.hash ? -1 : 1),
  )
  const present = await ctx.db.orm.transaction(async (tx) => {
    // An update even where nothing changes: it locks the row until the lease is visible.
    await tx
      .insert(blobs)
      .values(rows)
      .onConflictDoUpdate({ target: blobs.hash, set: { size: sql`excluded.size` } })
    await tx.insert(blobLeases).values(rows.map(({ hash }) => ({ leaseId, hash, expiresAt })))
    await requireRoom(ctx, tx)
    const hashes = sql`any(${sql.param(rows.map(({ hash }) => hash))}::text[])`
    const hashRows = await tx.execute<{ hash: string }>(sql`
      select hash from world_files where hash = ${hashes}
      union select hash from world_version_files where hash = ${hashes}`)
    const present = new Set(hashRows.map(({ hash }) => hash))
    const bytes = rows.reduce((sum, { hash, size }) => (present.has(hash) ? sum : sum + size), 0)
    if (share !== undefined && bytes > 0) await countStored(ctx, tx, share, bytes)
    return present
  })
  return { leaseId, present }
}

/**
 * Ends a lease together with the writing of what refers to its blobs.
 *
 * @throws Failure('storage_unavailable') when it expired meanwhile.
 */
async function redeemLease(tx: Transaction, now: Date, leaseId: string): Promise<void> {
  const rows = await tx
    .delete(blobLeases)
    .where(and(eq(blobLeases.leaseId, leaseId), gt(blobLeases.expiresAt, now)))
    .returning({ hash: blobLeases.hash })
  if (rows.length === 0) {
    const internal = `The lease ${leaseId} of the files expired before they were all stored`
    throw new Failure('storage_unavailable', 'Storing the files took too long; try again', {}, { internal })
  }
}

/**
 * Removes files from a World; those of no other World can then be collected.
 *
 * @param which All, or only the picture that its owner captured.
 */
export async function removeFiles(
  tx: Transaction,
  now: Date,
  worldId: string,
  which: 'all' | 'captured',
): Promise<void> {
  const some = which === 'all' ? undefined : eq(worldFiles.path, CAPTURED_PATH)
  const rows = await tx
    .delete(worldFiles)
    .where(and(eq(worldFiles.worldId, worldId), some))
    .returning({ hash: worldFiles.hash })
  const hashes = [...new Set(rows.map(({ hash }) => hash))]
  if (hashes.length === 0) return
  const leaseId = randomUUID()
  await tx.insert(blobLeases).values(hashes.map((hash) => ({ leaseId, hash, expiresAt: now })))
}
