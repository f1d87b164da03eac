import { ENTITY_KINDS, type EntityKind } from '../domain/entity.ts'
import type { FeedStatus } from '../feed/items.ts'

const STATUSES = ['observed', 'safe', 'finalized', 'removed'] as const satisfies readonly FeedStatus[]

/** What of the feed is shown, as the page's address says it. */
export interface FeedQuery {
  readonly kind: EntityKind | undefined
  /** `removed` for what reorganisations took away and nothing brought back; undefined for all that stands. */
  readonly status: FeedStatus | undefined
  /** Only what this block published. */
  readonly block: number | undefined
  /** Cursor of an older page. */
  readonly before: string | undefined
}

/** Reads an address's query; what it does not understand narrows nothing. */
export function readFeedQuery(params: Readonly<Record<string, string | string[] | undefined>>): FeedQuery {
  const first = (name: string): string | undefined => {
    const value = params[name]
    return Array.isArray(value) ? value[0] : value
  }
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
  const params = new URLSearchParams()
  for (const name of ['kind', 'status', 'block', 'before'] as const) {
    const value = query[name]
    if (value !== undefined) params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? '/feed' : `/feed?${text}`
}
