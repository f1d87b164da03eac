import type { Context } from '#lib/core/context/context.ts'
import { isOurDevChain } from '#lib/core/context/own-dev-chain.ts'
import { eventTypeOf, historyCursorOf } from '#lib/core/feed/items.ts'
import {
  type FeedItem,
  type FeedPage,
  listFeedItems,
  type PageCursor,
  parsePageCursor,
} from '#lib/core/feed/list-items.ts'
import { type FeedStatus, readFeedStatus } from '#lib/core/feed/read-status.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { connections, isLocal } from '#lib/server/http/connection.ts'
import type { FeedQuery } from './feed-query.ts'
import { titlesOf } from './titles.ts'

/** Items of one page. */
const PAGE_ITEMS = 30

/** The shown part of an item. */
export type FeedRow = Pick<
  FeedItem,
  'feedId' | 'kind' | 'name' | 'owner' | 'status' | 'blockNumber' | 'historyCursor' | 'createdAtMs'
> & {
  /** The owner's display name; absent without one, and in rows of the stream. */
  readonly ownerName?: string | undefined
  /** Title of a piece; absent without one, and in rows of the stream. */
  readonly title?: string | undefined
}

export interface FeedView {
  /** Newest first. */
  readonly rows: readonly FeedRow[]
  readonly nextBefore: string | undefined
  /** History cursor of the newest item of the query, whatever page this is; '' for none. */
  readonly newest: string
  /** Position of the stream that continues the rows without a gap. */
  readonly streamSeq: number
  /** Hash and time of the query's block, from its publications. */
  readonly block: { readonly hash: string; readonly createdAtMs: number } | undefined
  readonly chain: FeedStatus
  readonly nowMs: number
  /** Largest depth of a reorg of the development chain; undefined on other chains and for other machines. */
  readonly devDepth: number | undefined
}

/** @throws What the database throws when it cannot be read. */
export async function feedView(ctx: Context, query: FeedQuery): Promise<FeedView> {
  // Read first: the stream repeats a concurrent change instead of losing it.
  const chain = await readFeedStatus(ctx)
  const page = await readPage(ctx, query)
  const first = page.items[0]
  const top =
    query.before === undefined ? first : (await readPage(ctx, { ...query, before: undefined }, 1)).items[0]
  const [names, titleOf] = await Promise.all([
    namesOf(
      ctx,
      page.items.map(({ owner }) => owner),
    ),
    titlesOf(ctx, page.items),
  ])
  return {
    rows: page.items.map((item) => ({
      ...toRow(item),
      ownerName: names.get(item.owner),
      title: titleOf(item),
    })),
    nextBefore: page.nextBefore ?? undefined,
    newest: top?.historyCursor ?? '',
    streamSeq: chain.lastStreamSeq,
    block:
      query.block === undefined || first === undefined
        ? undefined
        : { hash: first.blockHash, createdAtMs: first.createdAtMs },
    chain,
    nowMs: ctx.clock().getTime(),
    devDepth:
      isOurDevChain(ctx, chain.chainId) && isLocal(connections().getStore())
        ? Math.max(0, (chain.head ?? 0) - (chain.finalized ?? 0))
        : undefined,
  }
}

async function readPage(
  ctx: Context,
  { kind, status, block, before: text }: FeedQuery,
  limit = PAGE_ITEMS,
): Promise<FeedPage> {
  const cursor = cursorOf(text)
  const before = block === undefined ? cursor : (cursor ?? endOfBlock(block))
  const page = await listItems(ctx, { limit, before, type: kind && eventTypeOf(kind), status })
  if (block === undefined) return page
  const items = page.items.filter(({ blockNumber }) => blockNumber === block)
  return { items, nextBefore: items.length === page.items.length ? page.nextBefore : null }
}

/** The cursor in a page's address; undefined for none. */
export function cursorOf(text: string | undefined): PageCursor | undefined {
  return text === undefined ? undefined : parsePageCursor(text)
}

/** A page of items; a cursor of another network is ignored. */
export function listItems(ctx: Context, input: Parameters<typeof listFeedItems>[1]): Promise<FeedPage> {
  return listFeedItems(ctx, input).catch((error: unknown) => {
    if (error instanceof Failure) return listFeedItems(ctx, { ...input, before: undefined })
    throw error
  })
}

/** Cursor of the end of a block: places sort like positions on chain. */
function endOfBlock(block: number): PageCursor {
  return { place: historyCursorOf({ blockNumber: block + 1, txIndex: 0, logIndex: 0 }) }
}

function toRow(item: FeedItem): FeedRow {
  const { feedId, kind, name, owner, status, blockNumber, historyCursor, createdAtMs } = item
  return { feedId, kind, name, owner, status, blockNumber, historyCursor, createdAtMs }
}
