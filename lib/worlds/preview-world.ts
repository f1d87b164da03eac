import type { Context } from '../context.ts'
import { worldPreviewFiles, worldPreviews } from '../db/schema/index.ts'
import { leaseBlobs } from './blob-leases.ts'
import type { CheckedBundle } from './bundle/checked-bundle.ts'
import { findRoom, makeRoom } from './preview-room.ts'
import { letGo, writeMissing } from './store-bundle.ts'
import { publishRefusal } from './upload-world.ts'
import { validateWorld } from './validate-world.ts'
import { newPreviewId } from './world-id.ts'

/** Long enough to look at a World and mend it; then nothing of it is left. */
export const PREVIEW_MS = 30 * 60_000

/** A bundle that is served as a World would be, under an address that only who made it knows. */
export interface StartedPreview {
  readonly id: string
  readonly bundle: CheckedBundle
  /** As they will be served. */
  readonly size: { readonly files: number; readonly bytes: number }
  readonly expiresAt: Date
  /** Why it could not be published as it is, though it keeps all rules. */
  readonly refusal: string | undefined
}

/**
 * Serves a bundle for half an hour, under the policy of Worlds, without publishing it: it is in no list, and ends with
 * its time, by `endPreview`, or as the oldest of an account that begins more than it may have.
 *
 * @throws Failure('invalid_request') with everything that is wrong with the bundle, Failure('too_many') when visitors
 *   have as many as they may have together, Failure('overloaded'), Failure('storage_unavailable').
 */
export async function previewWorld(ctx: Context, zip: Uint8Array): Promise<StartedPreview> {
  const owner = ctx.session?.address
  const bundle = await validateWorld(ctx, zip)
  const bytes = bundle.files.reduce((sum, { size }) => sum + size, 0)
  // Asked again with the writing; here it saves storing what will be refused.
  await findRoom(ctx.db.orm, ctx.clock(), owner, bytes)
  const { leaseId, present } = await leaseBlobs(ctx, bundle.files, PREVIEW_MS)
  const id = newPreviewId()
  const expiresAt = new Date(ctx.clock().getTime() + PREVIEW_MS)
  try {
    await writeMissing(ctx, zip, bundle.files, present)
    const ended = await ctx.db.orm.transaction(async (tx) => {
      const ended = await makeRoom(tx, ctx.clock(), owner, bytes)
      const { manifest, bundleHash } = bundle
      await tx
        .insert(worldPreviews)
        .values({ id, owner: owner ?? null, leaseId, bundleHash, manifest, bytes, expiresAt })
      await tx
        .insert(worldPreviewFiles)
        .values(bundle.files.map(({ path, hash, size }) => ({ previewId: id, path, hash, size })))
      return ended
    })
    for (const lease of ended) await letGo(ctx, lease)
  } catch (error) {
    await letGo(ctx, leaseId)
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
