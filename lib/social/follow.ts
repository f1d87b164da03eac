import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { follows, users } from '../db/schema/index.ts'
import { Failure } from '../domain/failure.ts'
import { requireSession } from '../identity/require-session.ts'
import { followedAddress } from './followed-address.ts'

/** Nobody reads more; it bounds the table and the list that has no pages. */
export const MAX_FOLLOWED = 10_000

/**
 * The signed-in user follows another. Following twice is following once.
 *
 * @param input.followedId An address in any spelling.
 * @throws Failure('unauthenticated'), Failure('invalid_request') for nothing or oneself, Failure('not_found') for
 * nobody, Failure('too_many') beyond `MAX_FOLLOWED`.
 */
export async function follow(ctx: Context, input: { followedId: string }): Promise<void> {
  const me = requireSession(ctx).address
  const followed = followedAddress(me, input.followedId)
  await ctx.db.orm.transaction(async (tx) => {
    // Neither of the two can be deleted until the follow is written, and then it goes with them.
    const people = await tx
      .select({ address: users.address })
      .from(users)
      .where(and(inArray(users.address, [me, followed]), eq(users.status, 'active')))
      .orderBy(users.address)
      .for('share')
    const present = new Set(people.map(({ address }) => address))
    if (!present.has(me)) throw new Failure('unauthenticated', 'Sign in first')
    if (!present.has(followed)) throw new Failure('not_found', 'No such user')
    if ((await tx.$count(follows, eq(follows.follower, me))) >= MAX_FOLLOWED) {
      throw new Failure('too_many', `You follow ${MAX_FOLLOWED} people: leave some before you follow others`)
    }
    await tx.insert(follows).values({ follower: me, followed, createdAt: ctx.clock() }).onConflictDoNothing()
  })
}
