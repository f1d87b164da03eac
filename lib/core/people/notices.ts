import { sql as statement } from 'drizzle-orm'
import type { Context, Services } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import type { Orm } from '#lib/platform/db/client.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'

type Store = Pick<Services, 'db'>

/** Notices of an account about publications: the oldest beyond are deleted. */
export const MAX_NOTICES = 200
/** Notices of one account about one actor: a flood of publications does not displace the others. */
export const MAX_OF_ACTOR = 20

/** Act of another account that concerns an account. */
export interface Notice {
  readonly what: 'built' | 'remixed' | 'followed'
  readonly actor: Address
  /** The account's own piece; undefined for a follow. */
  readonly of: NoticedPiece | undefined
  /** The piece that uses or remixes it; undefined for a follow. */
  readonly by: NoticedPiece | undefined
  readonly createdAtMs: number
  readonly isNew: boolean
}

/** An entity, or a World by its slug and title. */
export interface NoticedPiece {
  readonly kind: EntityKind | 'world'
  readonly name: string
  readonly title?: string
}

interface Row {
  readonly what: Notice['what']
  readonly actor: Address
  readonly kind: NoticedPiece['kind']
  readonly name: string
  readonly title: string | null
  readonly by_kind: NoticedPiece['kind']
  readonly by_name: string
  readonly by_title: string | null
  readonly created_ms: number
  readonly is_new: boolean
}

/** Condition of the notices that are shown: neither removed by a reorg nor hidden, and of active accounts. */
function visibleCondition({ db: { sql } }: Store) {
  return sql`
    coalesce((select status from users where address = n.actor), 'active') = 'active'
    -- One row by its key: for \`exists\` the planner may read all entities into a hash table.
    and case
      when n.what = 'followed' then true
      when n.by_kind = 'world' then (select true from worlds where id = n.by_name and status = 'active' limit 1)
      else (select true from entities e where e.kind = n.by_kind and e.name = n.by_name limit 1)
    end
    and not exists (select from hidden_entities h where h.kind = n.by_kind and h.name = n.by_name)`
}

/**
 * The notices of an account, the newest first.
 *
 * @param input.between Only those written in this time, as the database writes times.
 */
export async function listNotices(
  ctx: Store,
  input: {
    readonly account: Address
    readonly limit: number
    readonly between?: { readonly after: string; readonly until: string }
  },
): Promise<readonly Notice[]> {
  const { account, limit, between } = input
  const { sql } = ctx.db
  const rows = await sql<Row[]>`
    select n.what, n.actor, n.kind, coalesce(mine.slug, n.name) as name, mine.manifest ->> 'name' as title,
      n.by_kind, coalesce(theirs.slug, n.by_name) as by_name, theirs.manifest ->> 'name' as by_title,
      (extract(epoch from n.created_at) * 1000)::float8 as created_ms,
      n.created_at > coalesce((select seen_at from inboxes where account = ${account}), '-infinity') as is_new
    from notices n
    left join worlds mine on n.kind = 'world' and mine.id = n.name
    left join worlds theirs on n.by_kind = 'world' and theirs.id = n.by_name
    where n.account = ${account} and ${visibleCondition(ctx)}
      ${between ? sql`and n.created_at > ${between.after}::timestamptz and n.created_at <= ${between.until}::timestamptz` : sql``}
    order by n.created_at desc, n.by_name, n.name limit ${limit}`
  return rows.map((row) => ({
    what: row.what,
    actor: row.actor,
    of: row.what === 'followed' ? undefined : pieceOf(row.kind, row.name, row.title),
    by: row.what === 'followed' ? undefined : pieceOf(row.by_kind, row.by_name, row.by_title),
    createdAtMs: row.created_ms,
    isNew: row.is_new,
  }))
}

function pieceOf(kind: NoticedPiece['kind'], name: string, title: string | null): NoticedPiece {
  return { kind, name, ...(title !== null && { title }) }
}

/** Counts the new notices of an account. */
export async function countNewNotices(ctx: Store, account: Address): Promise<number> {
  const [row] = await ctx.db.sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from notices n
      where n.account = ${account} and ${visibleCondition(ctx)}
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

/** Notices of follows, and of remixed Worlds, that are kept: free accounts do not displace those of publications. */
const MAX_FREE = 50

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
      order by created_at desc offset ${MAX_FREE}))`)
}

/** Writes the notice of a remix to the owner of the World that it was made from, if that is another account. */
export async function noticeWorldRemix(
  tx: Pick<Orm, 'execute'>,
  { actor, id, remixOf }: { readonly actor: Address; readonly id: string; readonly remixOf: string },
): Promise<void> {
  const owner = statement`(select owner from worlds where id = ${remixOf})`
  await tx.execute(statement`
    insert into notices (account, what, actor, kind, name, by_kind, by_name, created_at)
    select w.owner, 'remixed', ${actor}, 'world', w.id, 'world', ${id}, now()
    from worlds w join users u on u.address = w.owner and u.status = 'active'
    where w.id = ${remixOf} and w.status = 'active' and w.owner <> ${actor} and ${MAX_OF_ACTOR} > (
      select count(*) from notices known where known.account = w.owner and known.actor = ${actor})
    on conflict do nothing`)
  await tx.execute(statement`
    delete from notices where ctid = any(array(
      select ctid from notices where account = ${owner} and kind = 'world'
      order by created_at desc offset ${MAX_FREE}))`)
}
