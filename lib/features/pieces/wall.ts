import type { Context } from '#lib/core/context/context.ts'
import { joinShown, shownColumns, shownPresentation } from '#lib/core/entities/author-words.ts'
import { worldNameOf } from '#lib/core/worlds/world-versions.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'

/** A list of the wall. */
export interface WallQuery {
  /** Hashes of the bundles of a World: only pieces that name one of these versions. Undefined for any, and for none. */
  readonly bundles?: readonly string[] | undefined
  /** Only pieces that were made from others. */
  readonly remixed?: boolean
  /** Only pieces published since, in Unix milliseconds. */
  readonly sinceMs?: number | undefined
  /** Only pieces of accounts that this one follows. */
  readonly follower?: Address | undefined
  /** Only pieces of this account; then `follower` counts for nothing. */
  readonly owner?: Address | undefined
  readonly after?: WallPlace | undefined
  /** 1..48. */
  readonly limit: number
}

/** Place of a piece in the order of the wall: what follows one comes after it. */
export interface WallPlace {
  readonly turn: number
  readonly block: number
  readonly tx: number
  readonly log: number
}

/** A piece of the wall. */
interface WallPiece {
  readonly name: string
  readonly owner: Address
  readonly title: string | undefined
  readonly present: Presentation | undefined
  /** Present name of the World that its author chose; undefined without one, and where it is not here. */
  readonly worldName: string | undefined
  /** The first connector that it was made from, by name; undefined where all are hidden. */
  readonly madeFrom: { readonly name: string; readonly title: string | undefined } | undefined
}

/** Turns that are told apart: pieces that have more newer ones of their owner before them share the last. */
const LAST_TURN = 10
/** Before all others. */
const FIRST: WallPlace = {
  turn: 0,
  block: Number.MAX_SAFE_INTEGER,
  tx: 2_147_483_647,
  log: 2_147_483_647,
}
/** Accounts whose pieces are read: those followed last. */
const MAX_FOLLOWED = 500
/** Versions of a World whose pieces are read: the newest. */
export const MAX_VERSIONS = 8

/**
 * A page of the wall: the newest piece of every account, then the second of every account, and so on; after ten of each
 * all others. So no account owns a page that others could fill. Without what is hidden.
 *
 * @returns `next`, after which the following page begins; undefined at the end.
 */
export async function readWall(
  { db }: Pick<Context, 'db'>,
  { bundles, remixed, sinceMs = 0, follower, owner, after, limit }: WallQuery,
): Promise<{ readonly pieces: readonly WallPiece[]; readonly next: WallPlace | undefined }> {
  const { sql } = db
  const list = remixed ? 'remix' : 'all'
  const ofWorld = remixed ? 'remix world' : 'world'
  const scopes =
    bundles === undefined ? [list] : bundles.slice(0, MAX_VERSIONS).map((hash) => `${ofWorld} ${hash}`)
  const { turn, block, tx, log } = after ?? FIRST
  const columns = sql`select name, owner, turn, block_number, tx_index, log_index from wall_places p`
  const visible = sql`not exists (select from hidden_entities h where h.kind = 'connector' and h.name = p.name)`
  const newest = sql`order by p.block_number desc, p.tx_index desc, p.log_index desc limit ${limit + 1}`
  const place = sql`(p.block_number, p.tx_index, p.log_index)`
  const cut = sql`(${block}::bigint, ${tx}::int, ${log}::int)`
  const isOfPeople = owner !== undefined || follower !== undefined
  const people =
    owner !== undefined
      ? sql`select ${owner}::text as followed`
      : sql`
    select followed from follows f
    where follower = ${follower ?? ''} and (select status from users where address = f.followed) = 'active'
    order by created_at desc, followed limit ${MAX_FOLLOWED}`
  // Of each turn the newest come first, so that what is older than the page's time is followed by nothing newer.
  const ofEverybody = sql`
    cross join (
      select each.turn, cut.block_number, cut.tx_index, cut.log_index
      from generate_series(${turn}::int, ${LAST_TURN}::int) each(turn)
      join (values (true, ${block}::bigint, ${tx}::int, ${log}::int),
        (false, ${FIRST.block}::bigint, ${FIRST.tx}::int, ${FIRST.log}::int))
        cut(is_begun, block_number, tx_index, log_index) on cut.is_begun = (each.turn = ${turn}::int)
    ) turns
    cross join lateral (
      ${columns} where p.scope = lists.scope and p.turn = turns.turn
        and ${place} < (turns.block_number, turns.tx_index, turns.log_index) and ${visible} ${newest}
    ) each`
  // Of one account a turn before the last is one piece: two probes of its index reach all turns.
  const ofPeople = sql`
    cross join people
    cross join lateral (
      (${columns} where p.scope = lists.scope and p.owner = people.followed
        and p.turn >= ${turn}::int and p.turn < ${LAST_TURN} and (p.turn > ${turn}::int or ${place} < ${cut})
        and ${visible} order by p.turn limit ${limit + 1})
      union all
      (${columns} where p.scope = lists.scope and p.owner = people.followed and p.turn = ${LAST_TURN}
        and (${turn}::int < ${LAST_TURN} or ${place} < ${cut}) and ${visible} ${newest})
    ) each`
  const rows = await sql<Row[]>`
    with ${isOfPeople ? sql`people as materialized (${people}),` : sql``} places as (
      select each.* from unnest(${scopes}::text[]) lists(scope)
      ${isOfPeople ? ofPeople : ofEverybody}
    ), page as (
      select places.* from places
      where ${sinceMs === 0} or (
        select f.created_at_ms from feed_items f
        where f.feed_id = (select chain_id from worker_state) || ':connector_added:' || places.name
      ) >= ${sinceMs}
      order by turn, block_number desc, tx_index desc, log_index desc limit ${limit + 1}
    )
    select page.name, page.owner, page.turn, page.block_number::float8 as block, page.tx_index as tx,
      page.log_index as log, ${shownColumns(sql)},
      (${worldNameOf(sql, shownPresentation(sql))}) as "worldName", origin.name as origin, origin.title as "originTitle"
    from page join entities e on e.kind = 'connector' and e.name = page.name
    ${joinShown(sql)}
    left join lateral (
      select o.origin_name as name, made_from.title from entity_origins o
      left join lateral (
        select ${shownColumns(sql)} from entities e ${joinShown(sql)}
        where e.kind = o.origin_kind and e.name = o.origin_name
      ) made_from on true
      where o.kind = 'connector' and o.name = page.name and o.origin_kind = 'connector'
        and not exists (select from hidden_entities h where h.kind = 'connector' and h.name = o.origin_name)
      order by o.origin_name limit 1
    ) origin on true
    order by page.turn, page.block_number desc, page.tx_index desc, page.log_index desc`
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    pieces: page.map(({ name, owner, title, presentation, worldName, origin, originTitle }) => ({
      name,
      owner,
      title: title ?? undefined,
      present: presentation ?? undefined,
      worldName: worldName ?? undefined,
      madeFrom: origin === null ? undefined : { name: origin, title: originTitle ?? undefined },
    })),
    next: last && { turn: last.turn, block: last.block, tx: last.tx, log: last.log },
  }
}

interface Row extends WallPlace {
  readonly name: string
  readonly owner: Address
  readonly title: string | null
  readonly presentation: Presentation | null
  readonly worldName: string | null
  readonly origin: string | null
  readonly originTitle: string | null
}

/** A place as a query of an address has it. */
export function writePlace({ turn, block, tx, log }: WallPlace): string {
  return [turn, block, tx, log].join('.')
}

const PLACE = /^(\d{1,2})\.(\d{1,15})\.(\d{1,9})\.(\d{1,9})$/

/** @returns undefined for anything that `writePlace` does not write. */
export function readPlace(text: string): WallPlace | undefined {
  const [, ...numbers] = (PLACE.exec(text) ?? []).map(Number)
  const [turn, block, tx, log] = numbers
  if (turn === undefined || block === undefined || tx === undefined || log === undefined) return undefined
  return turn > LAST_TURN ? undefined : { turn, block, tx, log }
}
