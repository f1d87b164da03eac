import type { Hash } from '../domain/entity.ts'
import { bareHash, parseHash } from '../domain/hash.ts'
import { SEARCH_KINDS, type SearchKind } from '../search/hit.ts'

/** Nobody turns more pages; who looks for something searches. */
const LAST_PAGE = 99

/** What to discover, as the page's address says it. */
export interface DiscoverQuery {
  /** Undefined for a little of everything. */
  readonly kind: SearchKind | undefined
  /** Connectors of this format only. */
  readonly format: Hash | undefined
  /** Of entities. */
  readonly sort: 'new' | 'used'
  /** Counted from zero. */
  readonly page: number
}

/** Reads an address's query; what it does not understand narrows nothing. */
export function readDiscoverQuery(
  params: Readonly<Record<string, string | string[] | undefined>>,
): DiscoverQuery {
  const first = (name: string): string => {
    const value = params[name]
    return (Array.isArray(value) ? value[0] : value) ?? ''
  }
  const format = parseHash(first('format'))
  return {
    kind: format === undefined ? SEARCH_KINDS.find((kind) => kind === first('kind')) : 'connector',
    format,
    sort: first('sort') === 'used' ? 'used' : 'new',
    page: /^\d{1,2}$/.test(first('page')) ? Math.min(Number(first('page')), LAST_PAGE) : 0,
  }
}

/** Address of the discover page for a query. */
export function discoverHref({ kind, format, sort, page }: Partial<DiscoverQuery>): string {
  const params = new URLSearchParams()
  if (format !== undefined) params.set('format', bareHash(format))
  else if (kind !== undefined) params.set('kind', kind)
  if (sort === 'used') params.set('sort', sort)
  if (page) params.set('page', String(page))
  const query = params.toString()
  return query === '' ? '/discover' : `/discover?${query}`
}

/** Whether the list may be turned further than this page. */
export function isLastPage(page: number): boolean {
  return page >= LAST_PAGE
}
