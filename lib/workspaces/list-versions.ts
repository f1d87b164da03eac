import { and, asc, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { workspaceVersions } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { type EntryChange, type EntryMark, entryChanges } from '../domain/entry-changes.ts'
import { requireOwner } from './require-owner.ts'

export interface WorkspaceVersion {
  readonly revision: number
  readonly savedAt: Date
  readonly entries: number
  /** Since the version before it that is still there. The first of many: `changed` counts them all. */
  readonly changes: readonly EntryChange[]
  readonly changed: number
}

const MOST_CHANGES = 12

/**
 * What a workspace was over time, the newest first. Of a workspace that does not exist: nothing.
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
    .where(and(eq(workspaceVersions.owner, owner), eq(workspaceVersions.workspaceId, input.id)))
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
        changes: changes.slice(0, MOST_CHANGES),
        changed: changes.length,
      }
    })
    .toReversed()
}
