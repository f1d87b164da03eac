import { and, eq, gt } from 'drizzle-orm'
import type { WorldManifest } from '../compute/bundle/manifest.ts'
import type { Context } from '../context/context.ts'
import { worldPreviews } from '../platform/db/schema/index.ts'
import { releaseLease } from './store-bundle.ts'
import { isPreviewId } from './world.ts'

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
