import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Context, Services } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { follows, users } from '#lib/platform/db/schema/index.ts'
import { parseAddress } from '#lib/protocol/address.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { noticeFollow } from './notices.ts'
import { getUser, type Page } from './users.ts'

/** Bounds the table and the unpaged list. */
export const MAX_FOLLOWED = 10_000

/**
 * Follows a user as the signed-in one. Idempotent.
 *
 * @param input.followedId An address in any spelling.
 * @throws Failure('unauthenticated'), Failure('invalid_request') without an id or for oneself, Failure('not_found')
 * without such a user, Failure('too_many') beyond `MAX_FOLLOWED`.
 */
export async function follow(ctx: Context, input: { followedId: string }): Promise<void> {
  const me = requireSession(ctx).address
  const followed = followedAddress(me, input.followedId)
  await ctx.db.orm.transaction(async (tx) => {
    // Locks both users, so that neither is deleted before the follow is inserted.
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
    await noticeFollow(tx, { follower: me, followed })
  })
}

/**
 * Unfollows a user as the signed-in one. Idempotent.
 *
 * @param input.followedId An address in any spelling.
 * @throws Failure('unauthenticated'), Failure('invalid_request') without an id or for oneself, Failure('not_found')
 * without such a user.
 */
export async function unfollow(ctx: Context, input: { followedId: string }): Promise<void> {
  const me = requireSession(ctx).address
  const { address: followed } = await getUser(ctx, { address: followedAddress(me, input.followedId) })
  await ctx.db.orm.delete(follows).where(and(eq(follows.follower, me), eq(follows.followed, followed)))
}

/**
 * Parses the address of the user to follow or unfollow.
 *
 * @throws Failure('invalid_request') without an id, and for oneself.
 * @throws Failure('not_found') for text that cannot be a user's id.
 */
export function followedAddress(me: Address, followedId: string): Address {
  const text = followedId.trim()
  if (text === '') throw new Failure('invalid_request', 'followed_id: name the address of a user')
  const address = parseAddress(text)
  if (address === undefined) throw new Failure('not_found', 'No such user')
  if (address === me) throw new Failure('invalid_request', 'followed_id: that is you')
  return address
}

type Input = Page & { readonly address: Address }

/** Active users that `address` follows, by address. */
export function listFollowing(services: Pick<Services, 'db'>, input: Input): Promise<readonly Address[]> {
  return list(services, input, follows.follower, follows.followed)
}

/** Active users that follow `address`, by address. */
export function listFollowers(services: Pick<Services, 'db'>, input: Input): Promise<readonly Address[]> {
  return list(services, input, follows.followed, follows.follower)
}

async function list(
  { db }: Pick<Services, 'db'>,
  { address, page, limit }: Input,
  self: typeof follows.follower | typeof follows.followed,
  other: typeof follows.follower | typeof follows.followed,
): Promise<readonly Address[]> {
  const rows = await db.orm
    .select({ address: other })
    .from(follows)
    // A subquery per row: a join may read all users for one page.
    .where(
      and(
        eq(self, address),
        sql`(select ${users.status} from ${users} where ${users.address} = ${other}) = 'active'`,
      ),
    )
    .orderBy(asc(other))
    .limit(limit)
    .offset(page * limit)
  return rows.map((row) => row.address as Address)
}

/** Followers are counted up to this number. */
const COUNTED_FOLLOWERS = 1_000

export interface FollowStanding {
  /** Active followers, up to 1,000. */
  readonly followers: number
  /** Whether there are more followers. */
  readonly moreFollowers: boolean
  /** Active users that the account follows. */
  readonly following: number
  /** Whether `viewer` is among the followers. */
  readonly followed: boolean
}

/** Counts followers and followed users of an account, for an optional viewer. */
export async function followStanding(
  { db }: Pick<Services, 'db'>,
  { address, viewer }: { readonly address: Address; readonly viewer: Address | undefined },
): Promise<FollowStanding> {
  const { sql } = db
  // A subquery per row: a join may read all users for a few.
  const active = (user: ReturnType<typeof sql>) =>
    sql`(select status from users where address = ${user}) = 'active'`
  const [row] = await sql<[Omit<FollowStanding, 'moreFollowers'>]>`
    select
      (select count(*)::int from (
        select from follows f
        where f.followed = ${address} and ${active(sql`f.follower`)} limit ${COUNTED_FOLLOWERS + 1}) up_to) as followers,
      (select count(*)::int from follows f
        where f.follower = ${address} and ${active(sql`f.followed`)}) as following,
      exists (select from follows where follower = ${viewer ?? null} and followed = ${address}) as followed`
  return {
    ...row,
    followers: Math.min(row.followers, COUNTED_FOLLOWERS),
    moreFollowers: row.followers > COUNTED_FOLLOWERS,
  }
}
