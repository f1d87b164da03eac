import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import type { WorldManifest } from '#lib/compute/bundle/manifest.ts'
import type { Context } from '#lib/core/context/context.ts'
import { clientNetwork } from '#lib/core/identity/client-network.ts'
import { worldPreviewFiles, worldPreviews } from '#lib/platform/db/schema/index.ts'
import { publishRefusal } from './publish-world.ts'
import { leaseBlobs, releaseLease, type Transaction, withBundle, writeMissing } from './store-bundle.ts'
import { type BundleFacts, factsOf } from './validate-world.ts'
import { isPreviewId, newPreviewId } from './world.ts'

export const PREVIEW_MS = 30 * 60_000

/** A bundle that is served like a World, at an unguessable address. */
export interface StartedPreview {
  readonly id: string
  readonly bundle: BundleFacts
  /** As they will be served. */
  readonly size: { readonly files: number; readonly bytes: number }
  readonly expiresAt: Date
  /** Why it cannot be published although it is valid. */
  readonly refusal: string | undefined
}

/**
 * Serves a bundle for half an hour, under the policy of Worlds, without publishing or listing it. It ends after that
 * time, by `endPreview`, or as the oldest preview of an account or a network beyond its quota.
 *
 * @throws Failure('invalid_request') with everything that is wrong with the bundle, Failure('overloaded'),
 *   Failure('storage_unavailable').
 */
export async function previewWorld(ctx: Context, zip: Uint8Array): Promise<StartedPreview> {
  return withBundle(ctx, zip, (bundle) => startPreview(ctx, bundle))
}

async function startPreview(ctx: Context, bundle: CheckedBundle): Promise<StartedPreview> {
  const owner = ctx.session?.address
  const bytes = bundle.files.reduce((sum, { size }) => sum + size, 0)
  const network = clientNetwork(ctx)
  const { leaseId, present } = await leaseBlobs(ctx, bundle.files, { forMs: PREVIEW_MS })
  const id = newPreviewId()
  const expiresAt = new Date(ctx.clock().getTime() + PREVIEW_MS)
  try {
    await writeMissing(ctx, bundle.files, present)
    const ended = await ctx.db.orm.transaction(async (tx) => {
      const ended = await endPreviewsBeyondQuota(tx, ctx.clock(), { owner: owner ?? null, network, bytes })
      const { manifest, bundleHash } = bundle
      await tx
        .insert(worldPreviews)
        .values({ id, owner: owner ?? null, network, leaseId, bundleHash, manifest, bytes, expiresAt })
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
    bundle: await factsOf(ctx, bundle),
    size: { files: bundle.files.length, bytes },
    expiresAt,
    refusal: refusal?.message,
  }
}

const MIB = 1024 * 1024

/** Quotas of live previews. `network` is one for all visitors and accounts of it; one is always accepted. */
const QUOTA = {
  account: { previews: 3, bytes: 300 * MIB },
  network: { previews: 12, bytes: 300 * MIB },
  all: { previews: 500, bytes: 2048 * MIB },
}

interface Live {
  readonly id: string
  readonly owner: string | null
  readonly network: string
  readonly leaseId: string
  readonly bytes: number
}

/**
 * Deletes expired previews and those that must end for one more, in the transaction that inserts it: the oldest of its
 * account or network beyond their quota, and beyond the quota of all the oldest of the network that has most.
 *
 * @returns the leases to release.
 */
async function endPreviewsBeyondQuota(
  tx: Transaction,
  now: Date,
  { owner, network, bytes }: Pick<Live, 'owner' | 'network' | 'bytes'>,
): Promise<readonly string[]> {
  // One transaction at a time, so that the quotas hold.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('world previews', 0))`)
  await tx.delete(worldPreviews).where(lte(worldPreviews.expiresAt, now))
  const { id, leaseId } = worldPreviews
  const live: Live[] = await tx
    .select({
      id,
      owner: worldPreviews.owner,
      network: worldPreviews.network,
      leaseId,
      bytes: worldPreviews.bytes,
    })
    .from(worldPreviews)
    .orderBy(worldPreviews.expiresAt)
  const ended: Live[] = []
  const endOldest = (isCandidate: (one: Live) => boolean, quota: { previews: number; bytes: number }) => {
    for (;;) {
      const candidates = live.filter(isCandidate)
      const [oldest] = candidates
      if (oldest === undefined || !exceeds(candidates, bytes, quota)) return
      ended.push(...live.splice(live.indexOf(oldest), 1))
    }
  }
  if (owner !== null) endOldest((one) => one.owner === owner, QUOTA.account)
  endOldest((one) => one.network === network, QUOTA.network)
  while (exceeds(live, bytes, QUOTA.all)) {
    const most = heaviestNetwork(live)
    ended.push(
      ...live.splice(
        live.findIndex((one) => one.network === most),
        1,
      ),
    )
  }
  if (ended.length > 0) {
    await tx.delete(worldPreviews).where(
      inArray(
        id,
        ended.map((one) => one.id),
      ),
    )
  }
  return ended.map((one) => one.leaseId)
}

/** Network with the largest part of the quota of all, by number or by bytes. */
function heaviestNetwork(live: readonly Live[]): string | undefined {
  const shares = new Map<string, number>()
  for (const { network, bytes } of live) {
    const share = Math.max(1 / QUOTA.all.previews, bytes / QUOTA.all.bytes)
    shares.set(network, (shares.get(network) ?? 0) + share)
  }
  return [...shares].toSorted(([, a], [, b]) => b - a)[0]?.[0]
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
