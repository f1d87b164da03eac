import type { Services } from '../context.ts'
import type { Address } from '../domain/entity.ts'

/** Followers are counted no further than this at each visit. */
const COUNTED_FOLLOWERS = 1_000

export interface FollowStanding {
  /** Active users who follow the account, up to 1,000. */
  readonly followers: number
  /** Whether there are more of them than were counted. */
  readonly moreFollowers: boolean
  /** Active users whom it follows. */
  readonly following: number
  /** Whether `viewer` is among the followers. */
  readonly followed: boolean
}

/** Where an account stands among people, seen by somebody or by nobody in particular. */
export async function followStanding(
  { db }: Pick<Services, 'db'>,
  { address, viewer }: { readonly address: Address; readonly viewer: Address | undefined },
): Promise<FollowStanding> {
  const { sql } = db
  // Asked of one after the other: a join may read everybody for the sake of a few.
  const active = (who: ReturnType<typeof sql>) =>
    sql`(select status from users where address = ${who}) = 'active'`
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
