import type { Services } from '../context.ts'
import type { Address } from '../domain/entity.ts'

export interface FollowStanding {
  /** Active users who follow the account. */
  readonly followers: number
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
  const [row] = await db.sql<[FollowStanding]>`
    select
      (select count(*)::int from follows f join users u on u.address = f.follower and u.status = 'active'
        where f.followed = ${address}) as followers,
      (select count(*)::int from follows f join users u on u.address = f.followed and u.status = 'active'
        where f.follower = ${address}) as following,
      exists (select from follows where follower = ${viewer ?? null} and followed = ${address}) as followed`
  return row
}
