import { and, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { workspaces } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { lockAccount } from './lock-account.ts'
import { requireOwner } from './require-owner.ts'
import type { Workspace } from './workspace.ts'

/**
 * Takes back the deletion of a workspace. One that is not deleted stays as it is.
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
