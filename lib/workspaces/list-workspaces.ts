import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { workspaces, workspaceVersions } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { KEPT_DELETED_MS } from './limits.ts'
import { requireOwner } from './require-owner.ts'
import type { Workspace } from './workspace.ts'

export interface WorkspaceList {
  /** The one saved last comes first; deleted ones that can be taken back are among them. */
  readonly workspaces: readonly Workspace[]
  readonly usedBytes: number
}

/** @throws Failure('unauthenticated'), Failure('forbidden') */
export async function listWorkspaces(ctx: Context, account: Address): Promise<WorkspaceList> {
  const owner = requireOwner(ctx, account)
  const oldest = new Date(ctx.clock().getTime() - KEPT_DELETED_MS)
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
