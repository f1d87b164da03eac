import { createHash } from 'node:crypto'
import { rewritePng } from '#lib/compute/pictures/png.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { worldFiles } from '#lib/platform/db/schema/index.ts'
import { WORLD_PICTURE } from '#lib/protocol/world-manifest.ts'
import { getWorld, worldNotFound } from './get-world.ts'
import { lockWorld } from './publish-world.ts'
import { requireMayReplace } from './replace-world.ts'
import { removeFiles, storeFiles, type Transaction } from './store-bundle.ts'
import { CAPTURED_PATH } from './world.ts'

/**
 * Stores a picture as the preview of a World, in place of the one that its bundle names and of an earlier one. It stays
 * when the bundle is replaced.
 *
 * @param input.png From the World by way of a browser: only its pixels are kept.
 * @throws Failure('unauthenticated'), Failure('not_found'), Failure('forbidden') for accounts other than the owner and
 *   administrators, Failure('invalid_request') for anything but a small PNG, Failure('storage_unavailable').
 */
export async function capturePicture(
  ctx: Context,
  { id, png }: { readonly id: string; readonly png: Uint8Array },
): Promise<void> {
  requireMayReplace(requireSession(ctx), (await getWorld(ctx, id)).owner)
  const picture = await rewritePng(png, WORLD_PICTURE.side)
  const hash = createHash('sha256').update(picture).digest('hex')
  const file = { hash, size: picture.byteLength }
  const write = async (present: ReadonlySet<string>) => {
    if (!present.has(hash)) await ctx.blobs.put(hash, picture)
  }
  await storeFiles(ctx, [file], write, async (tx) => {
    await removeCaptured(ctx, tx, id)
    await tx.insert(worldFiles).values({ worldId: id, path: CAPTURED_PATH, ...file })
  })
}

/**
 * Removes it again: what the bundle names is the preview. Idempotent.
 *
 * @throws As `capturePicture`.
 */
export async function removePicture(ctx: Context, id: string): Promise<void> {
  requireMayReplace(requireSession(ctx), (await getWorld(ctx, id)).owner)
  await ctx.db.orm.transaction((tx) => removeCaptured(ctx, tx, id))
}

async function removeCaptured(ctx: Context, tx: Transaction, id: string): Promise<void> {
  // Checked again: it may have been deleted meanwhile.
  const current = await lockWorld(tx, id)
  if (current === undefined) throw worldNotFound()
  requireMayReplace(requireSession(ctx), current.owner)
  await removeFiles(tx, ctx.clock(), id, 'captured')
}
