import { randomUUID } from 'node:crypto'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Database } from '../db/client.ts'
import { blobLeases, blobs, worldFiles } from '../db/schema/index.ts'
import { Failure } from '../domain/failure.ts'

export type Transaction = Parameters<Parameters<Database['orm']['transaction']>[0]>[0]

/** Far longer than an upload takes, so that only those of dead processes expire. */
const LEASE_MS = 60 * 60_000

interface Blob {
  readonly hash: string
  readonly size: number
}

/**
 * Names blobs that are about to be written and keeps them from being collected. Committed before the first byte is
 * stored: whatever happens then, somebody will find them.
 *
 * @param forMs How long, unless it is redeemed or dropped before.
 * @returns the lease, and which of the blobs a World refers to already: those are there, and stay.
 */
export async function leaseBlobs(
  ctx: Pick<Context, 'db' | 'clock'>,
  files: readonly Blob[],
  forMs = LEASE_MS,
): Promise<{ readonly leaseId: string; readonly present: ReadonlySet<string> }> {
  const leaseId = randomUUID()
  const expiresAt = new Date(ctx.clock().getTime() + forMs)
  // In one order everywhere, so that uploads with common files wait for each other and never in a circle.
  const rows = [...new Map(files.map(({ hash, size }) => [hash, { hash, size }] as const)).values()].toSorted(
    (a, b) => (a.hash < b.hash ? -1 : 1),
  )
  const present = await ctx.db.orm.transaction(async (tx) => {
    // An update even where nothing changes: it locks the row until the lease on it can be seen.
    await tx
      .insert(blobs)
      .values(rows)
      .onConflictDoUpdate({ target: blobs.hash, set: { size: sql`excluded.size` } })
    await tx.insert(blobLeases).values(rows.map(({ hash }) => ({ leaseId, hash, expiresAt })))
    return tx
      .selectDistinct({ hash: worldFiles.hash })
      .from(worldFiles)
      .where(sql`${worldFiles.hash} = any(${sql.param(rows.map(({ hash }) => hash))}::text[])`)
  })
  return { leaseId, present: new Set(present.map(({ hash }) => hash)) }
}

/**
 * Ends a lease together with the writing of what refers to its blobs.
 *
 * @throws Failure('storage_unavailable') when it expired meanwhile.
 */
export async function redeemLease(tx: Transaction, now: Date, leaseId: string): Promise<void> {
  const rows = await tx
    .delete(blobLeases)
    .where(and(eq(blobLeases.leaseId, leaseId), gt(blobLeases.expiresAt, now)))
    .returning({ hash: blobLeases.hash })
  if (rows.length === 0)
    throw new Failure('storage_unavailable', 'Storing the files took too long; try again')
}

/** Lets the blobs of a lease be collected. */
export async function dropLease(ctx: Pick<Context, 'db' | 'clock'>, leaseId: string): Promise<void> {
  await ctx.db.orm.update(blobLeases).set({ expiresAt: ctx.clock() }).where(eq(blobLeases.leaseId, leaseId))
}

/** Takes all files from a World and lets those that no other one has be collected. */
export async function removeFiles(tx: Transaction, now: Date, worldId: string): Promise<void> {
  const rows = await tx
    .delete(worldFiles)
    .where(eq(worldFiles.worldId, worldId))
    .returning({ hash: worldFiles.hash })
  const hashes = [...new Set(rows.map(({ hash }) => hash))]
  if (hashes.length === 0) return
  const leaseId = randomUUID()
  await tx.insert(blobLeases).values(hashes.map((hash) => ({ leaseId, hash, expiresAt: now })))
}
