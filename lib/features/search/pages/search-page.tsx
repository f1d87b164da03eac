import type { Metadata } from 'next'
import { connection } from 'next/server'
import { kindsName, kindsWord } from '#lib/protocol/kind-name.ts'
import { LISTED_KINDS } from '#lib/protocol/listed-kind.ts'
import { FilterLinks, FilterRow, LAYOUTS } from '#lib/ui/components/filter-links.tsx'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice, Unreadable } from '#lib/ui/components/notice.tsx'
import { PageTitle } from '#lib/ui/components/page-head.tsx'
import { PageLinks } from '#lib/ui/components/page-links.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { HitList, HitTiles } from '#lib/ui/lists/hit-list.tsx'
import { readForPage } from '#lib/views/read.ts'
import type { Hit } from '../hit.ts'
import { SearchForm } from '../ui/search-form.tsx'
import { viewHit } from '../ui/view-hit.ts'
import {
  hitCount,
  readSearchQuery,
  type SearchQuery,
  type SearchView,
  searchHref,
  searchView,
} from './search-view.ts'

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { text } = readSearchQuery(await searchParams)
  const shortText = [...text.trim()].slice(0, 60).join('')
  return {
    title: shortText === '' ? 'Search' : `${shortText}, search`,
    description: 'Pieces, functions, gates, formats, people and Worlds, by one search.',
    // Search results are not indexed; the entities have pages of their own.
    robots: { index: false },
  }
}

export default async function SearchPage({ searchParams }: Props) {
  await connection()
  const query = readSearchQuery(await searchParams)
  const reading = await readForPage('a search', (ctx) => searchView(ctx, query))
  return (
    <>
      <div className={measure}>
        <PageTitle title="Search" />
        <SearchForm text={reading.ok ? reading.value.text : query.text} kind={query.kind} />
      </div>
      {reading.ok ? <Results query={query} view={reading.value} /> : <Unreadable again={searchHref(query)} />}
    </>
  )
}

function Results({ query, view }: { query: SearchQuery; view: SearchView }) {
  if (view.text === '') return <Before />
  const total = LISTED_KINDS.reduce((sum, kind) => sum + view.counts[kind], 0)
  if (total === 0) {
    return <Nothing text={view.text} />
  }
  const here = { text: view.text, list: query.list }
  return (
    <div className={`${measure} mt-2 sm:mt-6`}>
      <FilterRow
        labels={query.list ? ['List'] : []}
        menu={
          <FilterLinks
            label="View"
            choices={LAYOUTS}
            value={query.list}
            hrefOf={(list) => searchHref({ ...query, list })}
          />
        }
      >
        <FilterLinks
          label="Kind"
          titled={false}
          choices={[
            ['Everything', undefined],
            ...LISTED_KINDS.filter((kind) => view.counts[kind] > 0 || kind === query.kind).map(
              (kind) => [`${kindsName(kind)} ${hitCount(view.counts[kind])}`, kind] as const,
            ),
          ]}
          value={query.kind}
          hrefOf={(kind) => searchHref({ ...here, kind })}
        />
      </FilterRow>
      {query.kind === undefined ? (
        <Everything view={view} list={query.list} />
      ) : (
        <OneKind query={query} view={view} />
      )}
    </div>
  )
}

/** Hits with pictures as tiles, others as lines. */
function Hits({
  hits,
  names,
  list,
  kinds = false,
}: Pick<SearchView, 'names'> & { hits: readonly Hit[]; list: boolean; kinds?: boolean }) {
  const views = hits.map((hit) => viewHit(hit, names))
  return !list && views.some(({ picture }) => picture !== undefined) ? (
    <HitTiles hits={views} kinds={kinds} />
  ) : (
    <HitList hits={views} kinds={kinds} />
  )
}

function Everything({ view, list }: { view: SearchView; list: boolean }) {
  return (
    <div className="mt-2 grid gap-x-12 gap-y-12 sm:mt-8 lg:grid-cols-2">
      {view.exact.length === 0 ? null : (
        <Part title="Exactly this">
          <Hits hits={view.exact} names={view.names} list={list} kinds />
        </Part>
      )}
      {view.groups.map(({ kind, hits }) => (
        <Part key={kind} title={kindsName(kind)}>
          <Hits hits={hits} names={view.names} list={list} />
          {view.counts[kind] > hits.length + view.exact.filter((hit) => hit.kind === kind).length ? (
            <p className="border-line border-t pt-3">
              <a className={`${textLink} text-sm`} href={searchHref({ text: view.text, kind, list })}>
                All {hitCount(view.counts[kind])} {kindsWord(kind)}
              </a>
            </p>
          ) : null}
        </Part>
      ))}
    </div>
  )
}

function OneKind({ query, view }: { query: SearchQuery; view: SearchView }) {
  const { kind, page } = query
  const [group] = view.groups
  const here = { text: view.text, kind, list: query.list }
  return (
    <div className={`mt-8 ${query.list ? 'max-w-[46rem]' : ''}`}>
      {group === undefined ? (
        <p className="text-ink-soft">
          Nothing of this kind here.{' '}
          <a className={textLink} href={searchHref({ text: view.text })}>
            Show everything that fits
          </a>
        </p>
      ) : (
        <Part title={kindsName(group.kind)}>
          <Hits hits={group.hits} names={view.names} list={query.list} />
        </Part>
      )}
      <PageLinks
        of="the search"
        back={page > 0 && ['Better matches', searchHref({ ...here, page: page - 1 })]}
        next={view.more && ['More', searchHref({ ...here, page: page + 1 })]}
      />
    </div>
  )
}

function Before() {
  return (
    <div className={`${measure} mt-8 max-w-[46rem] text-ink-soft`}>
      <p className="max-w-prose">
        Names of pieces, functions, gates, people and Worlds, and words of their descriptions; the values a
        format carries; or an address or a hash, whole or its beginning. Misspelled names are found, too.
      </p>
      <p className="mt-4">
        Just looking around?{' '}
        <a className={textLink} href="/discover">
          Discover what is new and what is used
        </a>
      </p>
    </div>
  )
}

function Nothing({ text }: { text: string }) {
  return (
    <div className={`${measure} mt-8`}>
      <Notice title="Nothing here is called that">
        <p>
          No name, value, address or hash fits <span className="mono">{text}</span>, not even misspelled. A
          shorter part of it may find more. Drafts are found by their exact name only.
        </p>
        <p className="flex flex-wrap gap-3 pt-1">
          <ButtonLink href="/discover">Discover what there is</ButtonLink>
          <ButtonLink href="/studio">Make it yourself</ButtonLink>
        </p>
      </Notice>
    </div>
  )
}
