import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Context } from '../../context/context.ts'
import { workspaces } from '../../platform/db/schema/index.ts'
import type { Address } from '../../protocol/entity.ts'
import { Failure } from '../../protocol/failure.ts'
import { DELETED_RETENTION_MS } from './limits.ts'
import { lockAccount, requireOwner, type Workspace } from './workspace.ts'

/**
 * Deletes a workspace: restorable for thirty days, permanently with `forGood`. Deleting a missing one has no
 * effect.
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
    // Expired workspaces of all owners: their owners may never return.
    const oldest = new Date(now.getTime() - DELETED_RETENTION_MS)
    await tx.delete(workspaces).where(lt(workspaces.deletedAt, oldest))
  })
}

/**
 * Restores a deleted workspace; one that is not deleted stays as it is.
 *
 * @throws Failure('not_found'), Failure('unauthenticated'), Failure('forbidden')
 */
export async function restoreWorkspace(
  ctx: Context,
  input: { readonly account: Address; readonly id: string },
): Promise<Workspace> {
  const owner = requireOwner(ctx, input.account)
  return ctx.db.orm.transaction(async (tx) => {
    await lockAccount(tx, owner)
    const [row] = await tx
      .update(workspaces)
      .set({ deletedAt: null })
      .where(and(eq(workspaces.owner, owner), eq(workspaces.id, input.id)))
      .returning()
    if (row === undefined) throw new Failure('not_found', 'This workspace is gone for good')
    return row
  })
}
