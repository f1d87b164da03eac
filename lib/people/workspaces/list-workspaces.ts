import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Context } from '../../context/context.ts'
import { workspaces, workspaceVersions } from '../../platform/db/schema/index.ts'
import type { Address } from '../../protocol/entity.ts'
import { DELETED_RETENTION_MS } from './limits.ts'
import { requireOwner, type Workspace } from './workspace.ts'

export interface WorkspaceList {
  /** Newest first, restorable ones included. */
  readonly workspaces: readonly Workspace[]
  readonly usedBytes: number
}

/** @throws Failure('unauthenticated'), Failure('forbidden') */
export async function listWorkspaces(ctx: Context, account: Address): Promise<WorkspaceList> {
  const owner = requireOwner(ctx, account)
  const oldest = new Date(ctx.clock().getTime() - DELETED_RETENTION_MS)
  const [rows, used] = await Promise.all([
    ctx.db.orm
      .select()
      .from(workspaces)
      .where(
        and(eq(workspaces.owner, owner), or(isNull(workspaces.deletedAt), gt(workspaces.deletedAt, oldest))),
      )
      .orderBy(sql`${workspaces.updatedAt} desc, ${workspaces.id}`),
    ctx.db.orm
      .select({ bytes: sql<string>`coalesce(sum(${workspaceVersions.size}), 0)` })
      .from(workspaceVersions)
      .where(eq(workspaceVersions.owner, owner)),
  ])
  return { workspaces: rows, usedBytes: Number(used[0]?.bytes ?? 0) }
}
