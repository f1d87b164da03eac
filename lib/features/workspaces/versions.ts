import { and, asc, eq } from 'drizzle-orm'
import type { Context } from '#lib/core/context/context.ts'
import { requireOwner } from '#lib/core/identity/own-account.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { type EntryChange, type EntryMark, entryChanges } from '#lib/protocol/entry-changes.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { versionsOf } from './quota.ts'
import { workspaceVersions } from './schema.ts'
import type { WorkspaceDocument } from './workspace.ts'

export interface WorkspaceVersion {
  readonly revision: number
  readonly savedAt: Date
  readonly entries: number
  /** Changes since the previous retained version; `changed` counts all of them. */
  readonly changes: readonly EntryChange[]
  readonly changed: number
}

const MAX_CHANGES = 12

/**
 * Versions of a workspace, newest first; empty for a missing one.
 *
 * @throws Failure('unauthenticated'), Failure('forbidden')
 */
export async function listVersions(
  ctx: Context,
  input: { readonly account: Address; readonly id: string },
): Promise<WorkspaceVersion[]> {
  const owner = requireOwner(ctx, input.account)
  const rows = await ctx.db.orm
    .select({
      revision: workspaceVersions.revision,
      savedAt: workspaceVersions.savedAt,
      marks: workspaceVersions.marks,
    })
    .from(workspaceVersions)
    .where(versionsOf(owner, input.id))
    .orderBy(asc(workspaceVersions.revision))
  let before: readonly EntryMark[] = []
  return rows
    .map(({ revision, savedAt, marks }) => {
      const after = JSON.parse(marks) as EntryMark[]
      const changes = entryChanges(before, after)
      before = after
      return {
        revision,
        savedAt,
        entries: after.length,
        changes: changes.slice(0, MAX_CHANGES),
        changed: changes.length,
      }
    })
    .toReversed()
}

/** @throws Failure('not_found'), Failure('unauthenticated'), Failure('forbidden') */
export async function readVersion(
  ctx: Context,
  input: { readonly account: Address; readonly id: string; readonly revision: number },
): Promise<WorkspaceDocument> {
  const owner = requireOwner(ctx, input.account)
  const [row] = await ctx.db.orm
    .select({ document: workspaceVersions.document })
    .from(workspaceVersions)
    .where(and(versionsOf(owner, input.id), eq(workspaceVersions.revision, input.revision)))
  if (row === undefined) {
    throw new Failure('not_found', 'This version is no longer kept: older ones are thinned out with time')
  }
  return JSON.parse(row.document) as WorkspaceDocument
}
