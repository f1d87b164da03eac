import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Transaction } from '#lib/core/identity/own-account.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { workspaces, workspaceVersions } from './schema.ts'

/** Workspaces of one account, restorable ones included. */
export const MAX_WORKSPACES = 100

/** One document, as compact JSON. */
export const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024

/** All versions of an account's workspaces. */
export const MAX_ACCOUNT_BYTES = 64 * 1024 * 1024

/** Versions of one workspace. */
export const MAX_VERSIONS = 100

/** Time in which a deleted workspace can be restored. */
export const DELETED_RETENTION_MS = 30 * 24 * 60 * 60 * 1000

export function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')
}

/** @throws Failure('too_many') when the account has as many workspaces as it may have. */
export async function assertWorkspaceCount(tx: Transaction, owner: Address): Promise<void> {
  const count = await tx.$count(workspaces, eq(workspaces.owner, owner))
  if (count >= MAX_WORKSPACES) {
    throw new Failure(
      'too_many',
      `An account keeps at most ${MAX_WORKSPACES} workspaces, recently deleted ones among them. Delete some for good first.`,
    )
  }
}

/** Condition for the versions of one workspace. */
export function versionsOf(owner: Address, id: string) {
  return and(eq(workspaceVersions.owner, owner), eq(workspaceVersions.workspaceId, id))
}

/** Deletes versions beyond the retention of their age. */
export async function pruneVersions(tx: Transaction, owner: Address, id: string, now: Date): Promise<void> {
  const ofThis = versionsOf(owner, id)
  const versions = await tx
    .select({ revision: workspaceVersions.revision, savedAt: workspaceVersions.savedAt })
    .from(workspaceVersions)
    .where(ofThis)
    .orderBy(desc(workspaceVersions.revision))
  const gone = versionsToPrune(versions, now)
  if (gone.length > 0) {
    await tx.delete(workspaceVersions).where(and(ofThis, inArray(workspaceVersions.revision, gone)))
  }
}

/**
 * Deletes the earliest versions of this workspace, never a present one, until the account is within its quota.
 *
 * @throws Failure('too_many') when that is not enough.
 */
export async function assertQuota(tx: Transaction, owner: Address, id: string): Promise<void> {
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
    .where(and(versionsOf(owner, id), ne(workspaceVersions.revision, workspaces.revision)))
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
    .where(and(versionsOf(owner, id), inArray(workspaceVersions.revision, gone)))
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Newest versions retained at any age. */
const NEWEST = 10

/** One version per `everyMs` is retained up to the age `upToMs`. Each interval divides the next. */
const RETENTION = [
  { upToMs: HOUR, everyMs: 2 * MINUTE },
  { upToMs: DAY, everyMs: 30 * MINUTE },
  { upToMs: 14 * DAY, everyMs: 6 * HOUR },
  { upToMs: Number.POSITIVE_INFINITY, everyMs: 7 * DAY },
] as const

interface Version {
  readonly revision: number
  readonly savedAt: Date
}

/**
 * Versions to prune: many are retained of the last hour, fewer of the last day, few older ones.
 *
 * @param versions Newest first.
 * @returns revisions; never the newest.
 */
export function versionsToPrune(versions: readonly Version[], now: Date): number[] {
  const periods = new Set<string>()
  const remaining: Version[] = []
  const gone: number[] = []
  for (const version of versions) {
    const time = version.savedAt.getTime()
    const { everyMs } = RETENTION.find(({ upToMs }) => now.getTime() - time <= upToMs) ?? RETENTION[0]
    const place = `${everyMs}/${Math.floor(time / everyMs)}`
    const goes = remaining.length >= NEWEST && (periods.has(place) || remaining.length >= MAX_VERSIONS)
    periods.add(place)
    if (goes) gone.push(version.revision)
    else remaining.push(version)
  }
  return gone
}
