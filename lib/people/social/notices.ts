import { randomBytes } from 'node:crypto'
import { sql as statement } from 'drizzle-orm'
import type { Context, Services } from '../../context/context.ts'
import type { Orm } from '../../platform/db/client.ts'
import type { Address, EntityKind } from '../../protocol/entity.ts'
import { requireSession } from '../identity/authorise.ts'
import { MAX_NOTICES } from './collect-notices.ts'

type Store = Pick<Services, 'db'>

/** What another account did that concerns an account. */
export interface Notice {
  readonly what: 'built' | 'remixed' | 'followed'
  readonly actor: Address
  /** The account's own entity; undefined for a follow. */
  readonly of: { readonly kind: EntityKind; readonly name: string } | undefined
  /** The entity that uses or remixes it; undefined for a follow. */
  readonly by: { readonly kind: EntityKind; readonly name: string } | undefined
  readonly createdAtMs: number
  readonly isNew: boolean
}

interface Row {
  readonly what: Notice['what']
  readonly actor: Address
  readonly kind: EntityKind
  readonly name: string
  readonly by_kind: EntityKind
  readonly by_name: string
  readonly created_ms: number
  readonly is_new: boolean
}

/** What is shown: neither what a reorg removed nor what is hidden, and nothing of accounts that are not active. */
function shown({ db: { sql } }: Store) {
  return sql`
    coalesce((select status from users where address = n.actor), 'active') = 'active'
    and (n.what = 'followed' or exists (select from entities e where e.kind = n.by_kind and e.name = n.by_name))
    and not exists (select from hidden_entities h where h.kind = n.by_kind and h.name = n.by_name)`
}

/** The notices of an account, the newest first. */
export async function listNotices(
  ctx: Store,
  { account, limit }: { readonly account: Address; readonly limit: number },
): Promise<readonly Notice[]> {
  const rows = await ctx.db.sql<Row[]>`
    select n.what, n.actor, n.kind, n.name, n.by_kind, n.by_name,
      (extract(epoch from n.created_at) * 1000)::float8 as created_ms,
      n.created_at > coalesce((select seen_at from inboxes where account = ${account}), '-infinity') as is_new
    from notices n where n.account = ${account} and ${shown(ctx)}
    order by n.created_at desc, n.by_name, n.name limit ${limit}`
  return rows.map(({ what, actor, kind, name, by_kind, by_name, created_ms, is_new }) => ({
    what,
    actor,
    of: what === 'followed' ? undefined : { kind, name },
    by: what === 'followed' ? undefined : { kind: by_kind, name: by_name },
    createdAtMs: created_ms,
    isNew: is_new,
  }))
}

/** How many notices of an account are new. */
export async function countNewNotices(ctx: Store, account: Address): Promise<number> {
  const [row] = await ctx.db.sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from notices n
      where n.account = ${account} and ${shown(ctx)}
        and n.created_at > coalesce((select seen_at from inboxes where account = ${account}), '-infinity')
      limit ${MAX_NOTICES}
    ) counted`
  return row?.count ?? 0
}

/** Marks the notices of the signed-in account up to now as seen. @throws Failure('unauthenticated') */
export async function seeNotices(ctx: Context): Promise<void> {
  const { address } = requireSession(ctx)
  // The database's clock: it wrote the notices.
  await ctx.db.sql`
    insert into inboxes (account, seen_at) values (${address}, now())
    on conflict (account) do update set seen_at = excluded.seen_at`
}

/** The secret part of the addresses of an account's Atom feeds; undefined where there are none. */
export async function feedKeyOf({ db }: Store, account: Address): Promise<string | undefined> {
  const [row] = await db.sql<{ feed_key: string | null }[]>`
    select feed_key from inboxes where account = ${account}`
  return row?.feed_key ?? undefined
}

/**
 * Gives the Atom feeds of the signed-in account new addresses, or none; the old ones end.
 *
 * @throws Failure('unauthenticated')
 */
export async function setFeedKey(ctx: Context, { on }: { readonly on: boolean }): Promise<void> {
  const { address } = requireSession(ctx)
  const key = on ? randomBytes(16).toString('base64url') : null
  await ctx.db.sql`
    insert into inboxes (account, feed_key) values (${address}, ${key})
    on conflict (account) do update set feed_key = excluded.feed_key`
}

/** The active account whose Atom feeds have an address; undefined for an address that ended. */
export async function accountOfFeedKey({ db }: Store, key: string): Promise<Address | undefined> {
  if (!/^[A-Za-z0-9_-]{22}$/.test(key)) return undefined
  const [row] = await db.sql<{ account: Address }[]>`
    select account from inboxes i
    where feed_key = ${key} and (select status from users where address = i.account) = 'active'`
  return row?.account
}

/** Follows that an account is told of, the newest: free accounts do not displace notices of publications. */
const MAX_FOLLOW_NOTICES = 50

/** Writes the notice of a follow: one for each follower, however often it follows. */
export async function noticeFollow(
  tx: Pick<Orm, 'execute'>,
  { follower, followed }: { readonly follower: Address; readonly followed: Address },
): Promise<void> {
  await tx.execute(statement`
    insert into notices (account, what, actor, kind, name, by_kind, by_name, created_at)
    values (${followed}, 'followed', ${follower}, '', '', '', '', now()) on conflict do nothing`)
  await tx.execute(statement`
    delete from notices where ctid = any(array(
      select ctid from notices where account = ${followed} and what = 'followed'
      order by created_at desc offset ${MAX_FOLLOW_NOTICES}))`)
}
