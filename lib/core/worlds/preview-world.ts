import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import type { WorldManifest } from '#lib/compute/bundle/manifest.ts'
import type { Context } from '#lib/core/context/context.ts'
import type { Orm } from '#lib/platform/db/client.ts'
import { worldPreviewFiles, worldPreviews } from '#lib/platform/db/schema/index.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { overloaded } from '#lib/protocol/overload.ts'
import { publishRefusal } from './publish-world.ts'
import { leaseBlobs, releaseLease, type Transaction, writeMissing } from './store-bundle.ts'
import { validateWorld } from './validate-world.ts'
import { isPreviewId, newPreviewId } from './world.ts'

export const PREVIEW_MS = 30 * 60_000

/** A bundle that is served like a World, at an unguessable address. */
export interface StartedPreview {
  readonly id: string
  readonly bundle: CheckedBundle
  /** As they will be served. */
  readonly size: { readonly files: number; readonly bytes: number }
  readonly expiresAt: Date
  /** Why it cannot be published although it is valid. */
  readonly refusal: string | undefined
}

/**
 * Serves a bundle for half an hour, under the policy of Worlds, without publishing or listing it. It ends after that
 * time, by `endPreview`, or as the oldest preview of an account beyond its quota.
 *
 * @throws Failure('invalid_request') with everything that is wrong with the bundle, Failure('too_many') when visitors
 *   have reached their quota, Failure('overloaded'), Failure('storage_unavailable').
 */
export async function previewWorld(ctx: Context, zip: Uint8Array): Promise<StartedPreview> {
  const owner = ctx.session?.address
  const bundle = await validateWorld(ctx, zip)
  const bytes = bundle.files.reduce((sum, { size }) => sum + size, 0)
  // Checked again in the transaction; here it avoids storing files in vain.
  await previewsToEnd(ctx.db.orm, ctx.clock(), owner, bytes)
  const { leaseId, present } = await leaseBlobs(ctx, bundle.files, PREVIEW_MS)
  const id = newPreviewId()
  const expiresAt = new Date(ctx.clock().getTime() + PREVIEW_MS)
  try {
    await writeMissing(ctx, zip, bundle.files, present)
    const ended = await ctx.db.orm.transaction(async (tx) => {
      const ended = await endPreviewsBeyondQuota(tx, ctx.clock(), owner, bytes)
      const { manifest, bundleHash } = bundle
      await tx
        .insert(worldPreviews)
        .values({ id, owner: owner ?? null, leaseId, bundleHash, manifest, bytes, expiresAt })
      await tx
        .insert(worldPreviewFiles)
        .values(bundle.files.map(({ path, hash, size }) => ({ previewId: id, path, hash, size })))
      return ended
    })
    for (const lease of ended) await releaseLease(ctx, lease)
  } catch (error) {
    await releaseLease(ctx, leaseId)
    throw error
  }
  const refusal = await publishRefusal(ctx, bundle, owner)
  return {
    id,
    bundle,
    size: { files: bundle.files.length, bytes },
    expiresAt,
    refusal: refusal?.message,
  }
}

const MIB = 1024 * 1024

/** Quotas of live previews. Visitors are indistinguishable and share one. */
const QUOTA = {
  account: { previews: 3 },
  visitors: { previews: 20, bytes: 200 * MIB },
  all: { previews: 500, bytes: 2048 * MIB },
}

interface Live {
  readonly id: string
  readonly owner: string | null
  readonly leaseId: string
  readonly bytes: number
}

/**
 * Checks the quotas for one more preview of this size.
 *
 * @returns the account's oldest previews that must end for it.
 * @throws {Failure} `too_many` for visitors, `overloaded` beyond the quota of all.
 */
async function previewsToEnd(
  orm: Pick<Orm, 'select'>,
  now: Date,
  owner: Address | undefined,
  bytes: number,
): Promise<readonly Live[]> {
  const live = await orm
    .select({
      id: worldPreviews.id,
      owner: worldPreviews.owner,
      leaseId: worldPreviews.leaseId,
      bytes: worldPreviews.bytes,
    })
    .from(worldPreviews)
    .where(gt(worldPreviews.expiresAt, now))
    .orderBy(worldPreviews.expiresAt)
  const own = live.filter((preview) => preview.owner === (owner ?? null))
  if (owner === undefined && exceeds(own, bytes, QUOTA.visitors)) {
    throw new Failure(
      'too_many',
      'Visitors have reached their shared limit of previews: sign in for your own',
    )
  }
  const ends = owner === undefined ? [] : own.slice(0, Math.max(0, own.length - QUOTA.account.previews + 1))
  const stay = live.filter((preview) => !ends.includes(preview))
  if (exceeds(stay, bytes, QUOTA.all)) {
    throw overloaded('worldPreviews')
  }
  return ends
}

/**
 * Deletes expired previews and those that `previewsToEnd` names, in the transaction that inserts the new one.
 *
 * @returns the leases to release.
 */
async function endPreviewsBeyondQuota(
  tx: Transaction,
  now: Date,
  owner: Address | undefined,
  bytes: number,
): Promise<readonly string[]> {
  // One transaction at a time, so that the quotas hold.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('world previews', 0))`)
  await tx.delete(worldPreviews).where(lte(worldPreviews.expiresAt, now))
  const ends = await previewsToEnd(tx, now, owner, bytes)
  if (ends.length === 0) return []
  await tx.delete(worldPreviews).where(
    inArray(
      worldPreviews.id,
      ends.map(({ id }) => id),
    ),
  )
  return ends.map(({ leaseId }) => leaseId)
}

function exceeds(
  live: readonly Live[],
  bytes: number,
  quota: { readonly previews: number; readonly bytes: number },
): boolean {
  return live.length >= quota.previews || live.reduce((sum, one) => sum + one.bytes, bytes) > quota.bytes
}

/** A bundle that is shown before it is published. */
export interface WorldPreview {
  readonly id: string
  readonly manifest: WorldManifest
  readonly bundleHash: string
}

/** @returns undefined for an unknown id, and after the preview expired. */
export async function getPreview(
  ctx: Pick<Context, 'db' | 'clock'>,
  id: string,
): Promise<WorldPreview | undefined> {
  if (!isPreviewId(id)) return undefined
  const [row] = await ctx.db.orm
    .select({ manifest: worldPreviews.manifest, bundleHash: worldPreviews.bundleHash })
    .from(worldPreviews)
    .where(and(eq(worldPreviews.id, id), gt(worldPreviews.expiresAt, ctx.clock())))
  return row && { id, manifest: row.manifest as WorldManifest, bundleHash: row.bundleHash }
}

/** Deletes a preview and its files; idempotent. Knowing the id is the permission. */
export async function endPreview(ctx: Context, id: string): Promise<void> {
  if (!isPreviewId(id)) return
  const [deleted] = await ctx.db.orm
    .delete(worldPreviews)
    .where(eq(worldPreviews.id, id))
    .returning({ leaseId: worldPreviews.leaseId })
  if (deleted !== undefined) await releaseLease(ctx, deleted.leaseId)
}
