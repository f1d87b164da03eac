import type { FeedStatus } from '#lib/core/feed/items.ts'
import { ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { firstOf, pageHref, type QueryParams } from './query.ts'

const STATUSES = ['observed', 'safe', 'finalized', 'removed'] as const satisfies readonly FeedStatus[]

/** The filters of the feed page. */
export interface FeedQuery {
  readonly kind: EntityKind | undefined
  /** `removed`: reorganised and not mined again; undefined for all others. */
  readonly status: FeedStatus | undefined
  /** Only publications of this block. */
  readonly block: number | undefined
  /** Cursor of an older page. */
  readonly before: string | undefined
}

/** Parses the query of an address; ignores invalid values. */
export function readFeedQuery(params: QueryParams): FeedQuery {
  const first = (name: string): string | undefined => firstOf(params[name])
  const block = first('block')
  return {
    kind: ENTITY_KINDS.find((kind) => kind === first('kind')),
    status: STATUSES.find((status) => status === first('status')),
    block: block !== undefined && /^\d{1,12}$/.test(block) ? Number(block) : undefined,
    before: first('before'),
  }
}

/** Address of the feed page for a query; leaving `before` out starts at the newest item. */
export function feedHref(query: Partial<FeedQuery>): string {
  const { kind, status, block, before } = query
  return pageHref('/feed', { kind, status, block, before })
}
