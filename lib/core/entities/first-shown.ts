import type postgres from 'postgres'
import type { Services } from '#lib/core/context/context.ts'
import { FRESH_MS } from '#lib/core/identity/client-network.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'

type Store = Pick<Services, 'db'> & Partial<Pick<Services, 'config' | 'clock'>>

/** An entity that pages and the studio show first. */
export interface FirstShown {
  readonly name: string
  readonly owner: Address
  /** Chosen by the operator, used, remixed or liked by several accounts this week, or new. */
  readonly because: 'featured' | 'trending' | 'new'
}

/** Entities of one account in a list, and so of one account a day. */
const MOST_OF_OWNER = 10
const MOST_TRENDING = 8
/** Newest likes of a week that vote: more than one account may give (`MAX_MARKS`), so that none silences the others. */
const COUNTED_LIKES = 3_000
const WEEK_MS = 7 * 24 * 3_600_000

/**
 * Published entities of a kind in the order in which they are shown: those that the operator chose, then those that
 * most accounts used, remixed or liked in the last week, then new ones, one of each account in turn. Each once; without what is hidden. One
 * account cannot fill the list, and cannot change more than its own places in it, however much it publishes.
 *
 * @param input.limit 1..48.
 */
export async function firstShown(
  ctx: Store,
  { kind, limit }: { readonly kind: EntityKind; readonly limit: number },
): Promise<readonly FirstShown[]> {
  const [featured, trending, recent] = await Promise.all([
    featuredEntities(ctx, kind),
    trendingEntities(ctx, kind),
    newInTurn(ctx, kind, limit),
  ])
  const all = new Map<string, FirstShown>()
  for (const each of [...featured, ...trending, ...recent]) {
    if (!all.has(each.name)) all.set(each.name, each)
  }
  return [...all.values()].slice(0, limit)
}

async function featuredEntities({ db, config }: Store, kind: EntityKind): Promise<readonly FirstShown[]> {
  const names = config?.featured.connectors ?? []
  if (names.length === 0) return []
  return db.sql<FirstShown[]>`
    select name, owner, 'featured' as because from entities e
    where kind = ${kind} and name = any(${[...names]}::text[]) and ${visible(db.sql)}
    order by array_position(${[...names]}::text[], name::text)`
}

/**
 * Used, remixed or liked by at least two accounts besides its own in the last week. Each account has one vote, whatever it
 * publishes and likes; fresh accounts of one network have one together. The accounts that published last vote with their newest publications, the accounts that liked last
 * with their likes: an amount of work that no network exceeds.
 */
async function trendingEntities({ db, clock }: Store, kind: EntityKind): Promise<readonly FirstShown[]> {
  const { sql } = db
  const now = (clock?.() ?? new Date()).getTime()
  const since = now - WEEK_MS
  const fresh = new Date(now - FRESH_MS).toISOString()
  return sql<FirstShown[]>`
    with voters as materialized (
      select distinct on (scope, owner) scope, owner from (
        (select scope, owner from newest_of_owners where scope = 'connector'
          order by block_number desc, tx_index desc, log_index desc limit 48)
        union all
        (select scope, owner from newest_of_owners where scope = ${kind}
          order by block_number desc, tx_index desc, log_index desc limit 48)
      ) newest
    ), recent as materialized (
      select own.owner, own.kind, own.name from voters cross join lateral (
        select e.owner, e.kind, e.name from entities e
        -- By the collation of the column: its index serves no other.
        where e.owner = voters.owner and e.kind = voters.scope collate "default"
        order by e.block_number desc, e.tx_index desc, e.log_index desc limit 5
      ) own
      join feed_items f
        on f.feed_id = (select chain_id from worker_state) || ':' || own.kind || '_added:' || own.name
      where f.created_at_ms >= ${since}
    ), cast_votes as (
      select used.name, recent.owner as account from recent cross join lateral (
        select r.name from entity_references r
        where recent.kind = 'connector' and r.connector = recent.name and r.kind = ${kind} limit 12
      ) used
      union all
      select o.origin_name, recent.owner from recent join entity_origins o
        on o.kind = recent.kind and o.name = recent.name and o.origin_kind = ${kind}
      union all
      select liked.name, liked.account from (
        select name, account from marks
        where mark = 'like' and kind = ${kind} and created_at >= ${new Date(since).toISOString()}
        order by created_at desc limit ${COUNTED_LIKES}
      ) liked
      where not exists (select from users u where u.address = liked.account and u.status = 'suspended')
    ), voted_by as (
      -- By key for each vote: there are few, and fresh accounts may be many.
      select cast_votes.name, coalesce((
        select u.network from users u where u.address = cast_votes.account and u.created_at > ${fresh}
      ), cast_votes.account) as voter
      from cast_votes
    ), votes as (
      select name, array_agg(distinct voter) as voters from voted_by group by name having count(distinct voter) > 1
    )
    select voted.name, voted.owner, 'trending' as because
    from votes cross join lateral (
      select e.name, e.owner, e.block_number,
        cardinality(array_remove(array_remove(votes.voters, e.owner), (
          select u.network from users u where u.address = e.owner and u.created_at > ${fresh}
        ))) as others
      from entities e
      where e.kind = ${kind} and e.name = votes.name and ${visible(sql)} limit 1
    ) voted
    where voted.others > 1
    order by voted.others desc, voted.block_number desc, voted.name limit ${MOST_TRENDING}`
}

async function newInTurn({ db }: Store, kind: EntityKind, limit: number): Promise<readonly FirstShown[]> {
  const { sql } = db
  return sql<FirstShown[]>`
    select own.name, own.owner, 'new' as because from (
      select owner from newest_of_owners where scope = ${kind}
      order by block_number desc, tx_index desc, log_index desc limit ${limit}
    ) recent cross join lateral (
      select page.*, row_number() over (order by block_number desc, tx_index desc, log_index desc) as turn
      from (
        select name, owner, block_number, tx_index, log_index from entities e
        where e.owner = recent.owner and e.kind = ${kind} and ${visible(sql)}
        order by block_number desc, tx_index desc, log_index desc limit ${Math.min(limit, MOST_OF_OWNER)}
      ) page
    ) own
    order by turn, block_number desc, tx_index desc, log_index desc limit ${limit}`
}

/** Condition on a row `e` of entities: no operator has hidden it. */
export function visible(sql: postgres.ISql) {
  return sql`not exists (select from hidden_entities h where h.kind = e.kind and h.name = e.name)`
}
