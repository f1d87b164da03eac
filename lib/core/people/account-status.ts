import { and, eq, or } from 'drizzle-orm'
import type { Context, Services } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { recordAct } from '#lib/platform/db/audit.ts'
import type { Database } from '#lib/platform/db/client.ts'
import {
  follows,
  inboxes,
  marks,
  notices,
  sessions,
  siweChallenges,
  users,
} from '#lib/platform/db/schema/index.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

type Transaction = Parameters<Parameters<Database['orm']['transaction']>[0]>[0]

/** Deletes the rows of an account from the tables of a feature. */
export type DeleteRows = (tx: Transaction, account: Address) => Promise<void>

/**
 * Deletes the signed-in user with profile, follows, marks, notices, sessions and what features store of it. Worlds
 * stay. The next sign-in creates a new profile.
 *
 * @param input.more Tables of features.
 * @throws Failure('unauthenticated'), Failure('forbidden') for another account.
 */
export async function deleteUser(
  ctx: Context,
  input: { readonly address: Address | undefined; readonly more: readonly DeleteRows[] },
): Promise<void> {
  const { more } = input
  const { address } = requireSession(ctx)
  if (address !== input.address) throw new Failure('forbidden', 'This is not your account')
  await ctx.db.orm.transaction(async (tx) => {
    // First, so that a concurrent sign-in waits for this row.
    const gone = await tx
      .update(users)
      .set({ status: 'deleted', displayName: null, profile: '{}', searchText: '', updatedAt: ctx.clock() })
      .where(and(eq(users.address, address), eq(users.status, 'active')))
      .returning({ address: users.address })
    if (gone.length === 0) throw new Failure('unauthenticated', 'Sign in first')
    await tx.delete(sessions).where(eq(sessions.address, address))
    await tx.delete(siweChallenges).where(eq(siweChallenges.address, address))
    for (const deleteRows of more) await deleteRows(tx, address)
    await tx.delete(marks).where(eq(marks.account, address))
    await tx.delete(notices).where(eq(notices.account, address))
    await tx.delete(inboxes).where(eq(inboxes.account, address))
    // Locked in order, against deadlocks of two users that follow each other.
    const own = or(eq(follows.follower, address), eq(follows.followed, address))
    await tx
      .select({ follower: follows.follower })
      .from(follows)
      .where(own)
      .orderBy(follows.follower, follows.followed)
      .for('update')
    await tx.delete(follows).where(own)
    await recordAct(tx, { at: ctx.clock(), actor: address, act: 'delete_account', subject: address })
  })
}

/**
 * Suspends an address, or lifts the suspension; for operators only. Ends the sessions of the user and refuses new ones,
 * also for an address that never signed in. Recorded in the audit log.
 */
export async function setSuspended(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  input: { address: Address; suspended: boolean; operator: string; reason: string },
): Promise<void> {
  const { address, suspended, operator, reason } = input
  const now = clock()
  await db.orm.transaction(async (tx) => {
    if (suspended) {
      await tx
        .insert(users)
        .values({ address, status: 'suspended', createdAt: now, updatedAt: now })
        .onConflictDoUpdate({ target: users.address, set: { status: 'suspended' } })
      await tx.delete(sessions).where(eq(sessions.address, address))
    } else {
      await tx
        .update(users)
        .set({ status: 'active' })
        .where(and(eq(users.address, address), eq(users.status, 'suspended')))
    }
    const act = suspended ? 'suspend_account' : 'lift_suspension'
    await recordAct(tx, { at: now, actor: operator, act, subject: address, reason })
  })
}
