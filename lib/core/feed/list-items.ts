import type { Config } from '#lib/platform/config.ts'
import type { Database } from '#lib/platform/db/client.ts'
import { type Address, ENTITY_KINDS, type EntityKind, type Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { FeedFilter } from './filter.ts'
import { eventTypeOf, type FeedEventType, type FeedStatus } from './items.ts'

/** A logical event of the registry, at its best occurrence. */
export interface FeedItem {
  readonly feedId: string
  readonly eventType: FeedEventType
  readonly status: FeedStatus
  /** False after a reorg removed the event. */
  readonly visible: boolean
  readonly txHash: Hash
  readonly blockNumber: number
  readonly blockHash: Hash
  readonly txIndex: number
  readonly logIndex: number
  /** Sorts like the position on chain. */
  readonly historyCursor: string
  /** Unix milliseconds of the block. */
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly projectorVersion: number
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
}

export interface FeedPage {
  /** Newest first. */
  readonly items: readonly FeedItem[]
  /** Pass as `before`, parsed, for the next page; null when there is none. */
  readonly nextBefore: string | null
}

export interface ListFeedItemsInput extends FeedFilter {
  /** Items at most. */
  readonly limit: number
  readonly before?: PageCursor | undefined
  readonly type?: FeedEventType | undefined
  /** Only items of this status; `removed` lists events that a reorg removed. */
  readonly status?: FeedStatus | undefined
}

/**
 * Returns a page of the feed. Following `nextBefore` yields every item that stays visible exactly once, whatever is
 * added, removed or mined again in the meantime.
 *
 * @throws {Failure} `invalid_request` for a cursor of another chain.
 */
export async function listFeedItems(
  ctx: { readonly db: Database; readonly config: Config },
  { limit, before, type, kind, status, owner, format, name }: ListFeedItemsInput,
): Promise<FeedPage> {
  requireOwnChain(ctx.config.chainId, before)
  const { sql } = ctx.db
  const filter = sql`
    ${status === 'removed' ? sql`true` : sql`i.visible`}
    and ${type === undefined ? sql`true` : sql`i.event_type = ${type}`}
    and ${kind === undefined ? sql`true` : sql`i.event_type = ${eventTypeOf(kind)}`}
    and ${owner === undefined ? sql`true` : sql`i.owner = ${owner}`}
    and ${format === undefined ? sql`true` : sql`i.format_hash = ${format}`}
    and ${name === undefined ? sql`true` : isNamed(sql, name)}
    and ${status === undefined ? sql`true` : isOf(sql, status)}`
  // Places are digits, so that '~' is after all of them, and '' before every feed_id.
  const place = before?.place ?? '~'
  const feedId = before?.walk?.feedId ?? ''
  const rows = await sql<(FeedItem & { readonly place: string; readonly streamSeq: number })[]>`
    with walk as materialized (
      select coalesce(${before?.walk?.streamSeq ?? null}::bigint,
        (select last_stream_seq from worker_state where id = 1), 0) as stream_seq
    ),
    -- Removed since the walk began, at the place they had then.
    moved as materialized (
      select distinct on (feed_id) feed_id, history_cursor as place
      from feed_outbox where status = 'removed' and stream_seq > (select stream_seq from walk)
      order by feed_id, stream_seq
    ),
    page as (
      (select i.*, i.history_cursor as place from feed_items i
        where ${filter} and (i.history_cursor, i.feed_id) < (${place}, ${feedId})
          and not exists (select 1 from moved where moved.feed_id = i.feed_id)
        order by i.history_cursor desc, i.feed_id desc limit ${limit + 1})
      union all
      (select i.*, moved.place from moved join feed_items i using (feed_id)
        where ${filter} and (moved.place, moved.feed_id) < (${place}, ${feedId})
        order by moved.place desc, moved.feed_id desc limit ${limit + 1})
    )
    select feed_id as "feedId", event_type as "eventType", status, visible, tx_hash as "txHash",
      block_number::float8 as "blockNumber", block_hash as "blockHash", tx_index as "txIndex", log_index as "logIndex",
      history_cursor as "historyCursor", created_at_ms::float8 as "createdAtMs", updated_at_ms::float8 as "updatedAtMs",
      projector_version as "projectorVersion", kind, name, owner, place, walk.stream_seq::float8 as "streamSeq"
    from page, walk
    order by page.place desc, page.feed_id desc limit ${limit + 1}`
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > limit && last !== undefined
  return {
    items: items.map(({ place: _place, streamSeq: _streamSeq, ...item }) => item),
    nextBefore: more
      ? writePageCursor({
          place: last.place,
          walk: { streamSeq: last.streamSeq, feedId: last.feedId },
        })
      : null,
  }
}

/** By the keys that a name can have, one a kind: there is no index of names. */
function isNamed(sql: Database['sql'], name: string) {
  return sql`i.feed_id = any(array(
    select w.chain_id || ':' || event_type || ':' || ${name}
    from worker_state w, unnest(${ENTITY_KINDS.map(eventTypeOf)}::text[]) as event_type where w.id = 1))`
}

/** Literals, not parameters: only then does the planner use the partial index of items that are not final. */
function isOf(sql: Database['sql'], status: FeedStatus) {
  return {
    observed: sql`i.status = 'observed'`,
    safe: sql`i.status = 'safe'`,
    finalized: sql`i.status = 'finalized'`,
    removed: sql`i.status = 'removed'`,
  }[status]
}

function requireOwnChain(chainId: number | undefined, before: PageCursor | undefined): void {
  const cursorChain = before?.walk?.feedId.split(':', 1)[0]
  if (chainId !== undefined && cursorChain !== undefined && cursorChain !== String(chainId)) {
    throw new Failure(
      'invalid_request',
      `before: a cursor of chain ${cursorChain}, but this is chain ${chainId}`,
    )
  }
}

/**
 * End of a feed page. The cursor carries the outbox position at which the walk began, because an event that is mined
 * again moves: without it the walk could yield it twice or not at all.
 */
export interface PageCursor {
  /** History cursor before which the next page starts. */
  readonly place: string
  /** Absent in a bare history cursor, which starts a new walk. */
  readonly walk?: { readonly streamSeq: number; readonly feedId: string }
}

const PLACE = '\\d{15}-\\d{8}-\\d{8}'
const FEED_ID = '\\d{1,15}:(?:connector|transformation|condition)_added:[A-Za-z_][A-Za-z0-9_]{0,127}'
const CURSOR = new RegExp(`^(${PLACE})(?:~(\\d{1,15})~(${FEED_ID}))?$`)

/** Maximum length of a cursor in characters. */
export const MAX_PAGE_CURSOR_LENGTH = 250

/** @returns undefined for text that is no cursor. */
export function parsePageCursor(text: string): PageCursor | undefined {
  const [, place, streamSeq, feedId] = (text.length <= MAX_PAGE_CURSOR_LENGTH && CURSOR.exec(text)) || []
  if (place === undefined) return undefined
  return streamSeq === undefined || feedId === undefined
    ? { place }
    : { place, walk: { streamSeq: Number(streamSeq), feedId } }
}

export function writePageCursor({ place, walk }: PageCursor): string {
  return walk === undefined ? place : `${place}~${walk.streamSeq}~${walk.feedId}`
}
