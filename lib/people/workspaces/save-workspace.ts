import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../context/context.ts'
import { workspaces, workspaceVersions } from '../../platform/db/schema/index.ts'
import type { Address } from '../../protocol/entity.ts'
import type { EntryMark } from '../../protocol/entry-changes.ts'
import { Failure } from '../../protocol/failure.ts'
import { MAX_DOCUMENT_BYTES, mebibytes } from './limits.ts'
import { assertQuota, assertWorkspaceCount, pruneVersions } from './quota.ts'
import { lockAccount, requireOwner, type Workspace, type WorkspaceDocument } from './workspace.ts'

export interface SaveWorkspace {
  readonly account: Address
  readonly id: string
  /** The revision that the document is based on; 0 for a new workspace. */
  readonly revision: number
  readonly name: string
  readonly document: WorkspaceDocument
}

/**
 * Saves a workspace as a new version, with optimistic concurrency on `revision`. Saving a deleted workspace
 * restores it.
 *
 * @throws Failure('conflict') with another revision than the present one, Failure('payload_too_large') and
 * Failure('too_many') beyond the limits, Failure('unauthenticated'), Failure('forbidden')
 */
export async function saveWorkspace(ctx: Context, input: SaveWorkspace): Promise<Workspace> {
  const owner = requireOwner(ctx, input.account)
  const { id, name } = input
  const document = JSON.stringify(input.document)
  const bytes = Buffer.byteLength(document)
  if (bytes > MAX_DOCUMENT_BYTES) {
    throw new Failure(
      'payload_too_large',
      `This workspace takes ${mebibytes(bytes)} MiB; your account keeps at most ${mebibytes(MAX_DOCUMENT_BYTES)} MiB each. Move a part of it to another workspace.`,
    )
  }
  const marks = JSON.stringify(input.document.entries.map(markOf))
  const size = bytes + Buffer.byteLength(marks)
  const now = ctx.clock()

  return ctx.db.orm.transaction(async (tx) => {
    await lockAccount(tx, owner)
    const own = and(eq(workspaces.owner, owner), eq(workspaces.id, id))
    const [present] = await tx.select().from(workspaces).where(own)
    if ((present?.revision ?? 0) !== input.revision) {
      throw new Failure('conflict', 'This workspace was saved elsewhere in the meantime')
    }
    if (present === undefined) await assertWorkspaceCount(tx, owner)
    const revision = input.revision + 1
    const row = { name, revision, updatedAt: now, deletedAt: null }
    if (present === undefined) await tx.insert(workspaces).values({ owner, id, createdAt: now, ...row })
    else await tx.update(workspaces).set(row).where(own)
    await tx
      .insert(workspaceVersions)
      .values({ owner, workspaceId: id, revision, savedAt: now, document, marks, size })
    await pruneVersions(tx, owner, id, now)
    await assertQuota(tx, owner, id)
    return { id, ...row, createdAt: present?.createdAt ?? now }
  })
}

function markOf({ id, kind, name, ...rest }: WorkspaceDocument['entries'][number]): EntryMark {
  const content = createHash('sha256').update(JSON.stringify(rest)).digest('base64url').slice(0, 16)
  return { id, kind, name, content }
}
