import { and, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { workspaceVersions } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { requireOwner } from './require-owner.ts'
import type { WorkDocument } from './workspace.ts'

/** @throws Failure('not_found'), Failure('unauthenticated'), Failure('forbidden') */
export async function readVersion(
  ctx: Context,
  input: { readonly account: Address; readonly id: string; readonly revision: number },
): Promise<WorkDocument> {
  const owner = requireOwner(ctx, input.account)
  const [row] = await ctx.db.orm
    .select({ document: workspaceVersions.document })
    .from(workspaceVersions)
    .where(
      and(
        eq(workspaceVersions.owner, owner),
        eq(workspaceVersions.workspaceId, input.id),
        eq(workspaceVersions.revision, input.revision),
      ),
    )
  if (row === undefined) {
    throw new Failure('not_found', 'This version is no longer kept: older ones are thinned out with time')
  }
  return JSON.parse(row.document) as WorkDocument
}
