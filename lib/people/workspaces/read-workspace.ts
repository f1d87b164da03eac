import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../context/context.ts'
import { workspaces, workspaceVersions } from '../../platform/db/schema/index.ts'
import type { Address } from '../../protocol/entity.ts'
import { Failure } from '../../protocol/failure.ts'
import { requireOwner, type Workspace, type WorkspaceDocument } from './workspace.ts'

export interface WorkspaceWithDocument extends Workspace {
  readonly document: WorkspaceDocument
}

/** @throws Failure('unauthenticated'), Failure('forbidden'), Failure('not_found'), also while it is deleted. */
export async function readWorkspace(
  ctx: Context,
  input: { readonly account: Address; readonly id: string },
): Promise<WorkspaceWithDocument> {
  const owner = requireOwner(ctx, input.account)
  const [row] = await ctx.db.orm
    .select({ workspace: workspaces, document: workspaceVersions.document })
    .from(workspaces)
    .innerJoin(
      workspaceVersions,
      and(
        eq(workspaceVersions.owner, workspaces.owner),
        eq(workspaceVersions.workspaceId, workspaces.id),
        eq(workspaceVersions.revision, workspaces.revision),
      ),
    )
    .where(and(eq(workspaces.owner, owner), eq(workspaces.id, input.id), isNull(workspaces.deletedAt)))
  if (row === undefined) throw new Failure('not_found', 'This account has no such workspace')
  return { ...row.workspace, document: JSON.parse(row.document) as WorkspaceDocument }
}
