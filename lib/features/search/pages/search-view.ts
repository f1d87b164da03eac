import type { Context } from '#lib/core/context/context.ts'
import { namesOf } from '#lib/core/people/users.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { LISTED_KINDS, type ListedKind } from '#lib/protocol/listed-kind.ts'
import { firstOf, pageHref, type QueryParams } from '#lib/views/query.ts'
import type { Hit } from '../hit.ts'
import { MOST_HITS, search } from '../search.ts'
import { viewHit } from '../ui/view-hit.ts'

/** The query of the search page. */
export interface SearchQuery {
  /** As typed; '' for the empty page. */
  readonly text: string
  /** Only hits of this kind, all of them. */
  readonly kind: ListedKind | undefined
  /** Counted from zero. */
  readonly page: number
  /** As lines of text, in place of pictures. */
  readonly list: boolean
}

/** Parses the query of an address; ignores invalid values. */
export function readSearchQuery(params: QueryParams): SearchQuery {
  const first = (name: string): string => firstOf(params[name]) ?? ''
  return {
    text: first('q'),
    kind: LISTED_KINDS.find((kind) => kind === first('kind')),
    list: first('view') === 'list',
    page: /^\d{1,2}$/.test(first('page')) ? Number(first('page')) : 0,
  }
}

/** Address of the search page for a query. */
export function searchHref({ text, kind, page, list }: Partial<SearchQuery>): string {
  return pageHref('/search', { q: text, kind, view: list && 'list', page: page || undefined })
}

/** Hits of one kind among all kinds. */
const FIRST_HITS = 6
const PAGE_HITS = 24
const SUGGESTIONS = 8

export interface SearchView {
  /** The normalised text: trimmed and cut. */
  readonly text: string
  /** Exact matches of all kinds. Empty when the query names a kind. */
  readonly exact: readonly Hit[]
  /** Other hits by kind, without empty kinds; one page when the query names a kind. */
  readonly groups: readonly HitGroup[]
  /** Hits of each kind, exact ones among them; `MOST_HITS` means that many or more. */
  readonly counts: Readonly<Record<ListedKind, number>>
  /** When the query names a kind: whether another page follows. */
  readonly more: boolean
  /** Display names of the owners of what is shown. */
  readonly names: ReadonlyMap<Address, string>
}

export interface HitGroup {
  readonly kind: ListedKind
  readonly hits: readonly Hit[]
}

/** @throws What the database throws when it cannot be read. */
export async function searchView(ctx: Context, query: SearchQuery): Promise<SearchView> {
  const { text, hits } = await search(ctx, { text: query.text })
  const of = (kind: ListedKind) => hits.get(kind) ?? []
  const counts = Object.fromEntries(LISTED_KINDS.map((kind) => [kind, of(kind).length]))
  const base = { text, counts: counts as SearchView['counts'] }
  const { kind, page } = query
  if (kind !== undefined) {
    const from = page * PAGE_HITS
    const pageHits = of(kind).slice(from, from + PAGE_HITS)
    const groups = pageHits.length === 0 ? [] : [{ kind, hits: pageHits }]
    const names = await namesOfOwners(ctx, pageHits)
    return { ...base, exact: [], groups, names, more: of(kind).length > from + PAGE_HITS }
  }
  const groups = LISTED_KINDS.map((each) => ({
    kind: each,
    hits: of(each)
      .filter(({ match }) => match !== 'exact')
      .slice(0, FIRST_HITS),
  }))
  const exact = LISTED_KINDS.flatMap((each) => of(each).filter(({ match }) => match === 'exact')).slice(
    0,
    FIRST_HITS,
  )
  const names = await namesOfOwners(ctx, [...exact, ...groups.flatMap(({ hits: some }) => some)])
  return {
    ...base,
    exact,
    names,
    groups: groups.filter(({ hits: some }) => some.length > 0),
    more: false,
  }
}

function namesOfOwners(ctx: Context, hits: readonly Hit[]): ReturnType<typeof namesOf> {
  return namesOf(
    ctx,
    hits.flatMap((hit) => ('owner' in hit ? [hit.owner] : [])),
  )
}

/** The best hits of all kinds, for autocompletion. */
export async function suggestions(ctx: Context, text: string) {
  const { hits } = await search(ctx, { text, most: SUGGESTIONS })
  const order = ['exact', 'beginning', 'part', 'alike'] as const
  const best = order.flatMap((match) =>
    LISTED_KINDS.flatMap((kind) => (hits.get(kind) ?? []).filter((hit) => hit.match === match)),
  )
  return { suggestions: best.slice(0, SUGGESTIONS).map((hit) => viewHit(hit)) }
}

/** `12`, or `100+` where the search stopped counting. */
export function hitCount(count: number): string {
  return count >= MOST_HITS ? `${MOST_HITS}+` : String(count)
}
