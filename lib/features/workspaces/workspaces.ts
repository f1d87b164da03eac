import { createHash } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Context } from '#lib/core/context/context.ts'
import { lockAccount, requireOwner } from '#lib/core/identity/own-account.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { EntryMark } from '#lib/protocol/entry-changes.ts'
import { Failure } from '#lib/protocol/failure.ts'
import {
  assertQuota,
  assertWorkspaceCount,
  DELETED_RETENTION_MS,
  MAX_DOCUMENT_BYTES,
  mebibytes,
  pruneVersions,
} from './quota.ts'
import { workspaces, workspaceVersions } from './schema.ts'
import type { Workspace, WorkspaceDocument } from './workspace.ts'

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

interface WorkspaceList {
  /** Newest first, restorable ones included. */
  readonly workspaces: readonly Workspace[]
  readonly usedBytes: number
}

/** @throws Failure('unauthenticated'), Failure('forbidden') */
export async function listWorkspaces(ctx: Context, account: Address): Promise<WorkspaceList> {
  const owner = requireOwner(ctx, account)
  const oldest = new Date(ctx.clock().getTime() - DELETED_RETENTION_MS)
  const [rows, usage] = await Promise.all([
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
  return { workspaces: rows, usedBytes: Number(usage[0]?.bytes ?? 0) }
}

interface SaveWorkspace {
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
