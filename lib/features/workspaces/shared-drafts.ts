import { randomBytes } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Context } from '#lib/core/context/context.ts'
import { lockAccount, requireOwner } from '#lib/core/identity/own-account.ts'
import { users } from '#lib/platform/db/schema/index.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { mebibytes } from './quota.ts'
import { sharedDrafts } from './schema.ts'
import type { WorkspaceDocument } from './workspace.ts'

/** Links of one account to stored documents. */
export const MAX_SHARED_DRAFTS = 100

/** One shared document, as compact JSON. */
export const MAX_SHARED_DOCUMENT_BYTES = 512 * 1024

/** All shared documents of an account. */
export const MAX_SHARED_BYTES = 8 * 1024 * 1024

/** A shared document without its content. */
export interface SharedDraft {
  /** Its address. Every client with the address can read it. */
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  /** Bytes of the document. */
  readonly size: number
}

/**
 * Stores a copy of a document at an unguessable address.
 *
 * @throws Failure('payload_too_large') and Failure('too_many') beyond the limits, Failure('unauthenticated'),
 * Failure('forbidden')
 */
export async function shareDraft(
  ctx: Context,
  input: { readonly account: Address; readonly name: string; readonly document: WorkspaceDocument },
): Promise<SharedDraft> {
  const owner = requireOwner(ctx, input.account)
  const document = JSON.stringify(input.document)
  const size = Buffer.byteLength(document)
  if (size > MAX_SHARED_DOCUMENT_BYTES) {
    throw new Failure(
      'payload_too_large',
      `This draft takes ${mebibytes(size)} MiB; a link holds at most ${mebibytes(MAX_SHARED_DOCUMENT_BYTES)} MiB. Share a part of it, or export it as a file.`,
    )
  }
  const id = randomBytes(16).toString('base64url')
  const row = { id, name: input.name, createdAt: ctx.clock(), size }
  await ctx.db.orm.transaction(async (tx) => {
    await lockAccount(tx, owner)
    const [usage] = await tx
      .select({ count: sql<string>`count(*)`, bytes: sql<string>`coalesce(sum(${sharedDrafts.size}), 0)` })
      .from(sharedDrafts)
      .where(eq(sharedDrafts.owner, owner))
    if (Number(usage?.count ?? 0) >= MAX_SHARED_DRAFTS) {
      throw new Failure('too_many', `An account keeps at most ${MAX_SHARED_DRAFTS} links. Revoke some first.`)
    }
    if (Number(usage?.bytes ?? 0) + size > MAX_SHARED_BYTES) {
      throw new Failure(
        'too_many',
        `The links of this account take more than ${mebibytes(MAX_SHARED_BYTES)} MiB. Revoke some first.`,
      )
    }
    await tx.insert(sharedDrafts).values({ ...row, owner, document })
  })
  return row
}

/** Drafts that an account shares, newest first. @throws Failure('unauthenticated'), Failure('forbidden') */
export async function listSharedDrafts(ctx: Context, account: Address): Promise<SharedDraft[]> {
  const owner = requireOwner(ctx, account)
  const { id, name, createdAt, size } = sharedDrafts
  return ctx.db.orm
    .select({ id, name, createdAt, size })
    .from(sharedDrafts)
    .where(eq(sharedDrafts.owner, owner))
    .orderBy(desc(createdAt), id)
    .limit(MAX_SHARED_DRAFTS)
}

/** Deletes a shared document; its address answers nothing from now on. @throws Failure('unauthenticated'), Failure('forbidden') */
export async function revokeSharedDraft(
  ctx: Context,
  input: { readonly account: Address; readonly id: string },
): Promise<void> {
  const owner = requireOwner(ctx, input.account)
  await ctx.db.orm
    .delete(sharedDrafts)
    .where(and(eq(sharedDrafts.id, input.id), eq(sharedDrafts.owner, owner)))
}

/**
 * Reads a shared document: its address is the only credential. That of a suspended account is not readable.
 *
 * @throws Failure('not_found')
 */
export async function readSharedDraft(
  ctx: Context,
  id: string,
): Promise<{ readonly name: string; readonly createdAt: Date; readonly document: WorkspaceDocument }> {
  const [row] = await ctx.db.orm
    .select({
      name: sharedDrafts.name,
      createdAt: sharedDrafts.createdAt,
      document: sharedDrafts.document,
    })
    .from(sharedDrafts)
    .innerJoin(users, and(eq(users.address, sharedDrafts.owner), eq(users.status, 'active')))
    .where(eq(sharedDrafts.id, id))
  if (row === undefined) {
    throw new Failure(
      'not_found',
      'There is nothing at this link: it was revoked, or a part of it is missing',
    )
  }
  return { ...row, document: JSON.parse(row.document) as WorkspaceDocument }
}
