import { and, asc, eq, sql } from 'drizzle-orm'
import type { Services } from '../context.ts'
import { follows, users } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import type { Page } from './page.ts'

type Input = Page & { readonly address: Address }

/** Active users whom `address` follows, in the order of their addresses. */
export function listFollowing(services: Pick<Services, 'db'>, input: Input): Promise<readonly Address[]> {
  return list(services, input, follows.follower, follows.followed)
}

/** Active users who follow `address`, in the order of their addresses. */
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
    // Asked of one after the other: a join may read everybody for the sake of a page.
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
