import type { Services } from '../context.ts'
import type { Address, EntityKind, Hash } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import type { FeedEventType, FeedStatus } from './items.ts'
import { type PageCursor, writePageCursor } from './page-cursor.ts'

/** A logical event of the registry, at its best occurrence. */
export interface FeedItem {
  readonly feedId: string
  readonly eventType: FeedEventType
  readonly status: FeedStatus
  /** False after a reorganisation took the event back. */
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

export interface ListFeedItemsInput {
  /** Items at most. */
  readonly limit: number
  readonly before?: PageCursor | undefined
  readonly type?: FeedEventType | undefined
  /** Only items of this status; `removed` lists what was taken back. */
  readonly status?: FeedStatus | undefined
  /** Only what this account published. */
  readonly owner?: Address | undefined
  /** Also what was taken back; `/feed` never shows it, pages may. */
  readonly withWithdrawn?: boolean
}

/**
 * A page of the feed. Following `nextBefore` meets every item that stays visible exactly once, whatever is added,
 * withdrawn or mined anew in the meantime.
 *
 * @throws {Failure} `invalid_request` for a cursor of another chain.
 */
export const listFeedItems = async (
  ctx: Pick<Services, 'db' | 'config'>,
  { limit, before, type, status, owner, withWithdrawn = false }: ListFeedItemsInput,
): Promise<FeedPage> => {
  requireOwnChain(ctx.config.chainId, before)
  const { sql } = ctx.db
  const wanted = sql`
    ${withWithdrawn || status === 'removed' ? sql`true` : sql`i.visible`}
    and ${type === undefined ? sql`true` : sql`i.event_type = ${type}`}
    and ${owner === undefined ? sql`true` : sql`i.owner = ${owner}`}
    and ${status === undefined ? sql`true` : isOf(sql, status)}`
  // Places are digits, so that '~' is after all of them, and '' before every feed_id.
  const place = before?.place ?? '~'
  const feedId = before?.walk?.feedId ?? ''
  const rows = await sql<Row[]>`
    with walk as materialized (
      select coalesce(${before?.walk?.streamSeq ?? null}::bigint,
        (select last_stream_seq from worker_state where id = 1), 0) as stream_seq
    ),
    -- What was taken back since the walk began, at the place where the walk knows it.
    moved as materialized (
      select distinct on (feed_id) feed_id, history_cursor as place
      from feed_outbox where status = 'removed' and stream_seq > (select stream_seq from walk)
      order by feed_id, stream_seq
    ),
    page as (
      (select i.*, i.history_cursor as place from feed_items i
        where ${wanted} and (i.history_cursor, i.feed_id) < (${place}, ${feedId})
          and not exists (select 1 from moved where moved.feed_id = i.feed_id)
        order by i.history_cursor desc, i.feed_id desc limit ${limit + 1})
      union all
      (select i.*, moved.place from moved join feed_items i using (feed_id)
        where ${wanted} and (moved.place, moved.feed_id) < (${place}, ${feedId})
        order by moved.place desc, moved.feed_id desc limit ${limit + 1})
    )
    select page.*, walk.stream_seq from page, walk
    order by page.place desc, page.feed_id desc limit ${limit + 1}`
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return {
    items: shown.map(toItem),
    nextBefore: more
      ? writePageCursor({
          place: last.place,
          walk: { streamSeq: Number(last.stream_seq), feedId: last.feed_id },
        })
      : null,
  }
}

/** Spelled out, not passed as a value: only so does the planner see that the index of what is not final will do. */
const isOf = (sql: Services['db']['sql'], status: FeedStatus) =>
  ({
    observed: sql`i.status = 'observed'`,
    safe: sql`i.status = 'safe'`,
    finalized: sql`i.status = 'finalized'`,
    removed: sql`i.status = 'removed'`,
  })[status]

const requireOwnChain = (chainId: number | undefined, before: PageCursor | undefined): void => {
  const named = before?.walk?.feedId.split(':', 1)[0]
  if (chainId !== undefined && named !== undefined && named !== String(chainId)) {
    throw new Failure('invalid_request', `before: a cursor of chain ${named}, but this is chain ${chainId}`)
  }
}

interface Row {
  readonly feed_id: string
  readonly event_type: FeedEventType
  readonly status: FeedStatus
  readonly visible: boolean
  readonly tx_hash: Hash
  readonly block_number: string
  readonly block_hash: Hash
  readonly tx_index: number
  readonly log_index: number
  readonly history_cursor: string
  readonly created_at_ms: string
  readonly updated_at_ms: string
  readonly projector_version: number
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
  readonly place: string
  readonly stream_seq: string
}

const toItem = (row: Row): FeedItem => ({
  feedId: row.feed_id,
  eventType: row.event_type,
  status: row.status,
  visible: row.visible,
  txHash: row.tx_hash,
  blockNumber: Number(row.block_number),
  blockHash: row.block_hash,
  txIndex: row.tx_index,
  logIndex: row.log_index,
  historyCursor: row.history_cursor,
  createdAtMs: Number(row.created_at_ms),
  updatedAtMs: Number(row.updated_at_ms),
  projectorVersion: row.projector_version,
  kind: row.kind,
  name: row.name,
  owner: row.owner,
})
