import type { Services } from '#lib/core/context/context.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'

/** A publication of a followed account, or of a followed format. */
export interface FollowedItem {
  readonly feedId: string
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
  readonly blockNumber: number
  /** Sorts like the position on chain. */
  readonly historyCursor: string
  /** Unix milliseconds of the block. */
  readonly createdAtMs: number
}

/** Accounts whose publications are read: those followed last. */
export const MAX_READ_ACCOUNTS = 500
/** Formats likewise. */
const MAX_READ_FORMATS = 100

/**
 * What accounts and formats that an account follows have published, newest first: a page by an index for each of them.
 *
 * @param input.before History cursor before which the page starts.
 */
export async function followedFeed(
  { db }: Pick<Services, 'db'>,
  input: { readonly account: Address; readonly limit: number; readonly before: string | undefined },
): Promise<readonly FollowedItem[]> {
  const { account, limit, before = '~' } = input
  return db.sql<FollowedItem[]>`
    with people as materialized (
      select followed from follows f
      where follower = ${account} and (select status from users where address = f.followed) = 'active'
      order by created_at desc, followed limit ${MAX_READ_ACCOUNTS}
    ), formats as materialized (
      select name from marks where account = ${account} and mark = 'follow' and kind = 'format'
      order by created_at desc limit ${MAX_READ_FORMATS}
    ), ids as (
      select own.feed_id, own.history_cursor from people cross join lateral (
        select feed_id, history_cursor from feed_items i
        where i.owner = people.followed and i.visible and i.history_cursor < ${before}
        order by i.history_cursor desc, i.feed_id desc limit ${limit}
      ) own
      union
      select member.feed_id, member.history_cursor from formats cross join lateral (
        select feed_id, history_cursor from feed_items i
        where i.format_hash = formats.name and i.visible and i.history_cursor < ${before}
        order by i.history_cursor desc, i.feed_id desc limit ${limit}
      ) member
    ), page as (select * from ids order by history_cursor desc, feed_id desc limit ${limit})
    select i.feed_id as "feedId", i.kind, i.name, i.owner, i.block_number::float8 as "blockNumber",
      i.history_cursor as "historyCursor", i.created_at_ms::float8 as "createdAtMs"
    from page join feed_items i using (feed_id)
    where not exists (select from hidden_entities h where h.kind = i.kind and h.name = i.name)
    order by i.history_cursor desc, i.feed_id desc`
}
