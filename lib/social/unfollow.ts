import { and, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { follows } from '../db/schema/index.ts'
import { requireSession } from '../identity/require-session.ts'
import { followedAddress } from './followed-address.ts'
import { getUser } from './get-user.ts'

/**
 * The signed-in user follows another no longer. Not having followed is fine.
 *
 * @param input.followedId An address in any spelling.
 * @throws Failure('unauthenticated'), Failure('invalid_request') for nothing or oneself, Failure('not_found') for
 * nobody.
 */
export async function unfollow(ctx: Context, input: { followedId: string }): Promise<void> {
  const me = requireSession(ctx).address
  const { address: followed } = await getUser(ctx, { address: followedAddress(me, input.followedId) })
  await ctx.db.orm.delete(follows).where(and(eq(follows.follower, me), eq(follows.followed, followed)))
}
