import type { Context } from '../context.ts'
import { type Hit, SEARCH_KINDS, type SearchKind } from '../search/hit.ts'
import { MOST_HITS, search } from '../search/search.ts'
import type { SearchQuery } from './search-query.ts'

/** Hits of one kind among all kinds. */
const FIRST_HITS = 6
const PAGE_HITS = 24
const SUGGESTIONS = 8

export interface SearchView {
  /** As the search understood it: trimmed, and cut where it was too long. */
  readonly text: string
  /** What is called exactly so, whatever it is. Empty below a kind. */
  readonly exact: readonly Hit[]
  /** The others by kind, kinds without any left out; below a kind, one page of it. */
  readonly groups: readonly HitGroup[]
  /** Hits of each kind, exact ones among them; `MOST_HITS` stands for that many or more. */
  readonly counts: Readonly<Record<SearchKind, number>>
  /** Below a kind: whether another page follows. */
  readonly more: boolean
}

export interface HitGroup {
  readonly kind: SearchKind
  readonly hits: readonly Hit[]
}

/** @throws What the database throws when it cannot be read. */
export async function searchView(ctx: Context, query: SearchQuery): Promise<SearchView> {
  const { text, hits } = await search(ctx, { text: query.text })
  const of = (kind: SearchKind) => hits.get(kind) ?? []
  const counts = Object.fromEntries(SEARCH_KINDS.map((kind) => [kind, of(kind).length]))
  const base = { text, counts: counts as SearchView['counts'] }
  const { kind, page } = query
  if (kind !== undefined) {
    const from = page * PAGE_HITS
    const shown = of(kind).slice(from, from + PAGE_HITS)
    const groups = shown.length === 0 ? [] : [{ kind, hits: shown }]
    return { ...base, exact: [], groups, more: of(kind).length > from + PAGE_HITS }
  }
  const groups = SEARCH_KINDS.map((each) => ({
    kind: each,
    hits: of(each)
      .filter(({ match }) => match !== 'exact')
      .slice(0, FIRST_HITS),
  }))
  return {
    ...base,
    exact: SEARCH_KINDS.flatMap((each) => of(each).filter(({ match }) => match === 'exact')).slice(
      0,
      FIRST_HITS,
    ),
    groups: groups.filter(({ hits: some }) => some.length > 0),
    more: false,
  }
}

/** A few of the best, whatever they are: for people who are still typing. */
export async function searchSuggestions(ctx: Context, text: string): Promise<readonly Hit[]> {
  const { hits } = await search(ctx, { text, most: SUGGESTIONS })
  const order = ['exact', 'beginning', 'part', 'alike'] as const
  return order
    .flatMap((match) =>
      SEARCH_KINDS.flatMap((kind) => (hits.get(kind) ?? []).filter((hit) => hit.match === match)),
    )
    .slice(0, SUGGESTIONS)
}

/** `12`, or `100+` where the search stopped counting. */
export function hitCount(count: number): string {
  return count >= MOST_HITS ? `${MOST_HITS}+` : String(count)
}
