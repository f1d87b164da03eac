import { blockOfCursor } from '#lib/core/feed/items.ts'
import type { FeedRow } from '#lib/views/feed.ts'
import type { FeedQuery } from '#lib/views/feed-query.ts'

/** A delta of the stream. */
export interface Delta {
  readonly streamSeq: number
  readonly feedId: string
  readonly status: FeedRow['status']
  readonly historyCursor: string
  readonly createdAtMs: number
  readonly kind: FeedRow['kind']
  readonly name: string
  readonly owner: FeedRow['owner']
}

export interface LiveItem extends FeedRow {
  /** Its last change since the page was rendered, if it is to be announced. */
  readonly change?: 'arrived' | 'removed' | 'returned'
}

export interface LiveFeed {
  /** In display order. */
  readonly items: readonly LiveItem[]
  /** New items not shown yet, newest first. */
  readonly waiting: readonly FeedRow[]
  readonly streamSeq: number
}

/** Which new items belong on this page. */
export type Accepts = (item: FeedRow) => boolean

/**
 * New items that belong on the first page of a query. An older item whose status changes is not new, except in a query
 * for removed items, where every removal is.
 *
 * @param newest Cursor of the newest item when the page was made; '' for none.
 */
export function acceptsFor({ kind, status, block }: FeedQuery, newest: string): Accepts {
  return (item) =>
    (kind === undefined || item.kind === kind) &&
    (block === undefined || item.blockNumber === block) &&
    (status === undefined ? item.status !== 'removed' : item.status === status) &&
    (status === 'removed' || item.historyCursor > newest)
}

/** Applies a delta; idempotent. */
export function applyDelta(feed: LiveFeed, delta: Delta, accepts: Accepts): LiveFeed {
  if (delta.streamSeq <= feed.streamSeq) return feed
  const next = { ...feed, streamSeq: delta.streamSeq }
  const item = toItem(delta)
  if (feed.items.some(({ feedId }) => feedId === delta.feedId)) {
    return {
      ...next,
      items: feed.items.map((each) => (each.feedId === delta.feedId ? change(each, item) : each)),
    }
  }
  const others = feed.waiting.filter(({ feedId }) => feedId !== delta.feedId)
  return { ...next, waiting: accepts(item) ? sorted([item, ...others]) : others }
}

/** Shows the pending items. */
export function showWaiting(feed: LiveFeed): LiveFeed {
  const arrived = feed.waiting.map((item) => ({ ...item, change: 'arrived' as const }))
  return { ...feed, waiting: [], items: sorted([...arrived, ...feed.items]) }
}

function change(current: LiveItem, item: FeedRow): LiveItem {
  // A removed item retains its block.
  if (item.status === 'removed') return { ...current, status: 'removed', change: 'removed' }
  const wasRemoved = current.status === 'removed'
  const moved = current.historyCursor !== item.historyCursor
  // Deltas have the time of the change; known items retain the time of their block.
  const createdAtMs = moved ? item.createdAtMs : current.createdAtMs
  const lastChange = wasRemoved || moved ? 'returned' : current.change
  // Names of accounts and titles are not in the stream. After a reorg, the name may be another account's.
  const { ownerName: _ownerName, title: _title, ...unnamed } = current
  const before = item.owner === current.owner ? current : unnamed
  return { ...before, ...item, createdAtMs, ...(lastChange !== undefined && { change: lastChange }) }
}

function toItem(delta: Delta): FeedRow {
  const { feedId, kind, name, owner, status, historyCursor, createdAtMs } = delta
  const blockNumber = blockOfCursor(historyCursor) ?? 0
  return { feedId, kind, name, owner, status, historyCursor, createdAtMs, blockNumber }
}

function sorted<Item extends FeedRow>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (a.historyCursor < b.historyCursor ? 1 : -1))
}
