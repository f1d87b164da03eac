import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { workspaces } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { KEPT_DELETED_MS } from './limits.ts'
import { lockAccount } from './lock-account.ts'
import { requireOwner } from './require-owner.ts'

/**
 * Deletes a workspace. It can be taken back for thirty days, unless it is deleted once more, for good. Deleting what is
 * not there changes nothing.
 *
 * @throws Failure('unauthenticated'), Failure('forbidden')
 */
export async function deleteWorkspace(
  ctx: Context,
  input: { readonly account: Address; readonly id: string; readonly forGood: boolean },
): Promise<void> {
  const owner = requireOwner(ctx, input.account)
  const now = ctx.clock()
  await ctx.db.orm.transaction(async (tx) => {
    await lockAccount(tx, owner)
    const own = and(eq(workspaces.owner, owner), eq(workspaces.id, input.id))
    if (input.forGood) await tx.delete(workspaces).where(and(own, isNotNull(workspaces.deletedAt)))
    else
      await tx
        .update(workspaces)
        .set({ deletedAt: now })
        .where(and(own, isNull(workspaces.deletedAt)))
    // Anybody's whose time is over: their owners may never come back.
    const oldest = new Date(now.getTime() - KEPT_DELETED_MS)
    await tx.delete(workspaces).where(lt(workspaces.deletedAt, oldest))
  })
}
