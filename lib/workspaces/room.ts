import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { workspaces, workspaceVersions } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { MAX_ACCOUNT_BYTES, MAX_WORKSPACES, mebibytes } from './limits.ts'
import type { Transaction } from './lock-account.ts'
import { thin } from './thin.ts'

/** @throws Failure('too_many') when the account has as many workspaces as it may have. */
export async function requireRoomForOne(tx: Transaction, owner: Address): Promise<void> {
  const count = await tx.$count(workspaces, eq(workspaces.owner, owner))
  if (count >= MAX_WORKSPACES) {
    throw new Failure(
      'too_many',
      `An account keeps at most ${MAX_WORKSPACES} workspaces, recently deleted ones among them. Delete some for good first.`,
    )
  }
}

/** Lets versions go that are too many for their age. */
export async function thinOut(tx: Transaction, owner: Address, id: string, now: Date): Promise<void> {
  const ofThis = and(eq(workspaceVersions.owner, owner), eq(workspaceVersions.workspaceId, id))
  const versions = await tx
    .select({ revision: workspaceVersions.revision, savedAt: workspaceVersions.savedAt })
    .from(workspaceVersions)
    .where(ofThis)
    .orderBy(desc(workspaceVersions.revision))
  const gone = thin(versions, now)
  if (gone.length > 0) {
    await tx.delete(workspaceVersions).where(and(ofThis, inArray(workspaceVersions.revision, gone)))
  }
}

/**
 * Makes room from the earliest versions of this workspace, never from what is in a workspace now.
 *
 * @throws Failure('too_many') when that is not enough.
 */
export async function requireRoom(tx: Transaction, owner: Address, id: string): Promise<void> {
  const [sum] = await tx
    .select({ bytes: sql<string>`sum(${workspaceVersions.size})` })
    .from(workspaceVersions)
    .where(eq(workspaceVersions.owner, owner))
  let excess = Number(sum?.bytes ?? 0) - MAX_ACCOUNT_BYTES
  if (excess <= 0) return
  const earlier = await tx
    .select({ revision: workspaceVersions.revision, size: workspaceVersions.size })
    .from(workspaceVersions)
    .innerJoin(
      workspaces,
      and(eq(workspaces.owner, workspaceVersions.owner), eq(workspaces.id, workspaceVersions.workspaceId)),
    )
    .where(
      and(
        eq(workspaceVersions.owner, owner),
        eq(workspaceVersions.workspaceId, id),
        ne(workspaceVersions.revision, workspaces.revision),
      ),
    )
    .orderBy(asc(workspaceVersions.revision))
  const gone: number[] = []
  for (const version of earlier) {
    if (excess <= 0) break
    gone.push(version.revision)
    excess -= version.size
  }
  if (excess > 0) {
    throw new Failure(
      'too_many',
      `The workspaces of this account take more than ${mebibytes(MAX_ACCOUNT_BYTES)} MiB. Delete some for good first.`,
    )
  }
  await tx
    .delete(workspaceVersions)
    .where(
      and(
        eq(workspaceVersions.owner, owner),
        eq(workspaceVersions.workspaceId, id),
        inArray(workspaceVersions.revision, gone),
      ),
    )
}
