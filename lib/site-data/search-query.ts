import { SEARCH_KINDS, type SearchKind } from '../search/hit.ts'

/** What is searched for, as the page's address says it. */
export interface SearchQuery {
  /** As typed; '' for the empty page. */
  readonly text: string
  /** Only hits of this kind, all of them. */
  readonly kind: SearchKind | undefined
  /** Counted from zero. */
  readonly page: number
}

/** Reads an address's query; what it does not understand narrows nothing. */
export function readSearchQuery(
  params: Readonly<Record<string, string | string[] | undefined>>,
): SearchQuery {
  const first = (name: string): string => {
    const value = params[name]
    return (Array.isArray(value) ? value[0] : value) ?? ''
  }
  return {
    text: first('q'),
    kind: SEARCH_KINDS.find((kind) => kind === first('kind')),
    page: /^\d{1,2}$/.test(first('page')) ? Number(first('page')) : 0,
  }
}

/** Address of the search page for a query. */
export function searchHref({ text, kind, page }: Partial<SearchQuery>): string {
  const params = new URLSearchParams()
  if (text) params.set('q', text)
  if (kind !== undefined) params.set('kind', kind)
  if (page) params.set('page', String(page))
  const query = params.toString()
  return query === '' ? '/search' : `/search?${query}`
}
