import { eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { worlds } from '../db/schema/index.ts'
import { Failure } from '../domain/failure.ts'
import { requireSession } from '../identity/require-session.ts'
import { removeFiles } from './blob-leases.ts'
import { worldNotFound } from './get-world.ts'
import { lockWorld } from './publish-rows.ts'
import { tidyUp } from './store-bundle.ts'
import { isWorldId } from './world-id.ts'

/**
 * Deletes a World and its files; its slug is free again, its id never.
 *
 * @throws Failure('unauthenticated'), Failure('not_found'), Failure('forbidden') for anybody but the owner.
 */
export async function deleteWorld(ctx: Context, id: string): Promise<void> {
  const { address } = requireSession(ctx)
  if (!isWorldId(id)) throw worldNotFound()
  await ctx.db.orm.transaction(async (tx) => {
    const world = await lockWorld(tx, id)
    if (world === undefined) throw worldNotFound()
    if (world.owner !== address) throw new Failure('forbidden', 'This World belongs to another account')
    const now = ctx.clock()
    await removeFiles(tx, now, id)
    await tx.update(worlds).set({ status: 'deleted', updatedAt: now }).where(eq(worlds.id, id))
  })
  await tidyUp(ctx)
}
