import { gt, inArray, lte, sql } from 'drizzle-orm'
import type { Orm } from '../db/client.ts'
import { worldPreviews } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import type { Transaction } from './blob-leases.ts'

const MIB = 1024 * 1024

/** Live previews of an account, or of all. Nothing tells visitors apart, so together they have a share. */
const MOST = {
  account: { previews: 3 },
  visitors: { previews: 20, bytes: 200 * MIB },
  all: { previews: 500, bytes: 2048 * MIB },
}

interface Live {
  readonly id: string
  readonly owner: string | null
  readonly leaseId: string
  readonly bytes: number
}

/**
 * Which previews have to end before one of so many bytes may begin: the oldest of an account that has as many as it
 * may have.
 *
 * @throws Failure('too_many') for visitors, Failure('overloaded').
 */
export async function findRoom(
  orm: Pick<Orm, 'select'>,
  now: Date,
  owner: Address | undefined,
  bytes: number,
): Promise<readonly Live[]> {
  const live = await orm
    .select({
      id: worldPreviews.id,
      owner: worldPreviews.owner,
      leaseId: worldPreviews.leaseId,
      bytes: worldPreviews.bytes,
    })
    .from(worldPreviews)
    .where(gt(worldPreviews.expiresAt, now))
    .orderBy(worldPreviews.expiresAt)
  const own = live.filter((preview) => preview.owner === (owner ?? null))
  if (owner === undefined && isFull(own, bytes, MOST.visitors)) {
    throw new Failure(
      'too_many',
      'Visitors are looking at as many previews as there is room for: sign in for yours',
    )
  }
  const ends = owner === undefined ? [] : own.slice(0, Math.max(0, own.length - MOST.account.previews + 1))
  const stay = live.filter((preview) => !ends.includes(preview))
  if (isFull(stay, bytes, MOST.all)) {
    throw new Failure('overloaded', 'There is no room for another preview now; try again in a few minutes', {
      retryAfterSeconds: 300,
    })
  }
  return ends
}

/**
 * The same, for the transaction that begins the preview: those that have to end, and those whose time is over, are
 * gone with it.
 *
 * @returns leases that nothing needs any more.
 */
export async function makeRoom(
  tx: Transaction,
  now: Date,
  owner: Address | undefined,
  bytes: number,
): Promise<readonly string[]> {
  // One at a time, so that the limits hold.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('world previews', 0))`)
  await tx.delete(worldPreviews).where(lte(worldPreviews.expiresAt, now))
  const ends = await findRoom(tx, now, owner, bytes)
  if (ends.length === 0) return []
  await tx.delete(worldPreviews).where(
    inArray(
      worldPreviews.id,
      ends.map(({ id }) => id),
    ),
  )
  return ends.map(({ leaseId }) => leaseId)
}

function isFull(
  live: readonly Live[],
  bytes: number,
  most: { readonly previews: number; readonly bytes: number },
): boolean {
  return live.length >= most.previews || live.reduce((sum, one) => sum + one.bytes, bytes) > most.bytes
}
