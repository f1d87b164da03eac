import { and, eq, or } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { follows, sessions, siweChallenges, users, workspaces } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { requireSession } from '../identity/require-session.ts'

/**
 * Deletes the signed-in user: the profile, all follows and unpublished work are cleared and every session ends. Worlds
 * stay under the address. The next sign-in begins afresh.
 *
 * @throws Failure('unauthenticated'), Failure('forbidden') for somebody else's account.
 */
export async function deleteUser(ctx: Context, input: { address: Address | undefined }): Promise<void> {
  const { address } = requireSession(ctx)
  if (address !== input.address) throw new Failure('forbidden', 'This is not your account')
  await ctx.db.orm.transaction(async (tx) => {
    // First of all: a sign-in that runs at the same time waits for this row.
    const gone = await tx
      .update(users)
      .set({ status: 'deleted', displayName: null, profile: '{}', searchText: '', updatedAt: ctx.clock() })
      .where(and(eq(users.address, address), eq(users.status, 'active')))
      .returning({ address: users.address })
    if (gone.length === 0) throw new Failure('unauthenticated', 'Sign in first')
    await tx.delete(sessions).where(eq(sessions.address, address))
    await tx.delete(siweChallenges).where(eq(siweChallenges.address, address))
    await tx.delete(workspaces).where(eq(workspaces.owner, address))
    // Locked in one order, so that two people who follow each other may both leave at once.
    const own = or(eq(follows.follower, address), eq(follows.followed, address))
    await tx
      .select({ follower: follows.follower })
      .from(follows)
      .where(own)
      .orderBy(follows.follower, follows.followed)
      .for('update')
    await tx.delete(follows).where(own)
  })
}
