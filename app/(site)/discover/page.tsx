import type { Metadata } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { counted, shortHex } from '#lib/browser/format.ts'
import { ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { LISTED_KINDS } from '#lib/protocol/listed-kind.ts'
import { formatHref } from '#lib/ui/components/entity-href.ts'
import { FilterLinks, FoldedFilters, LAYOUTS } from '#lib/ui/components/filter-links.tsx'
import { textLink } from '#lib/ui/components/link-style.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { AtomLink, PageHead } from '#lib/ui/components/page-head.tsx'
import { PageLinks } from '#lib/ui/components/page-links.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { HitList, HitTiles } from '#lib/ui/lists/hit-list.tsx'
import {
  type HitView,
  kindsName,
  viewEntity,
  viewFormat,
  viewPerson,
  viewWorld,
} from '#lib/ui/lists/hit-view.ts'
import { countWords } from '#lib/ui/people/counts.ts'
import {
  type DiscoverQuery,
  type DiscoverView,
  discoverHref,
  discoverView,
  type Entry,
  readDiscoverQuery,
} from '#lib/views/discover.ts'
import { readForPage } from '#lib/views/read.ts'

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { kind } = readDiscoverQuery(await searchParams)
  return {
    title: kind === undefined ? 'Discover' : `${kindsName(kind)}, discover`,
    description: 'What is new on the network, what others build on, and who makes it.',
  }
}

export default async function DiscoverPage({ searchParams }: Props) {
  await connection()
  const query = readDiscoverQuery(await searchParams)
  const reading = await readForPage('what there is to discover', (ctx) => discoverView(ctx, query))
  return (
    <>
      <AtomLink />
      <PageHead slim title="Discover" lead={<p>What is new, what others build on, and who makes it.</p>} />
      <div className={`${measure} mt-2 sm:mt-8`}>
        <Filters query={query} />
        {reading.ok ? <Found query={query} view={reading.value} /> : null}
      </div>
      {reading.ok ? null : <Unreadable again={discoverHref(query)} />}
    </>
  )
}

const ORDERS = [
  ['Newest', 'new'],
  ['Most used', 'used'],
] as const

function Filters({ query }: { query: DiscoverQuery }) {
  const isEntity = ENTITY_KINDS.some((kind) => kind === query.kind)
  const start = { ...query, page: 0 }
  return (
    <FoldedFilters className="space-y-1">
      <FilterLinks
        label="Kind"
        choices={[['Everything', undefined], ...LISTED_KINDS.map((kind) => [kindsName(kind), kind] as const)]}
        value={query.kind}
        hrefOf={(kind) => discoverHref({ ...(kind && { kind, sort: query.sort }), list: query.list })}
      />
      {isEntity ? (
        <FilterLinks
          label="Order"
          choices={ORDERS}
          value={query.sort}
          hrefOf={(sort) => discoverHref({ ...start, sort })}
        />
      ) : null}
      <FilterLinks
        label="View"
        choices={LAYOUTS}
        value={query.list}
        hrefOf={(list) => discoverHref({ ...query, list })}
      />
      {query.format === undefined ? null : (
        <p className="pt-2 text-sm">
          Of the format{' '}
          <a className={`${textLink} mono`} href={formatHref(query.format)}>
            {shortHex(query.format)}
          </a>{' '}
          only.{' '}
          <a className={textLink} href={discoverHref({ ...start, format: undefined })}>
            Of every format
          </a>
        </p>
      )}
    </FoldedFilters>
  )
}

function Found({ query, view }: { query: DiscoverQuery; view: DiscoverView }) {
  return view.overview === undefined ? (
    <OneKind query={query} view={view} />
  ) : (
    <Overview list={query.list} overview={view.overview} view={view} />
  )
}

function Overview({
  list: asList,
  overview,
  view,
}: {
  list: boolean
  overview: NonNullable<DiscoverView['overview']>
  view: DiscoverView
}) {
  const list = (entries: readonly Entry[], kinds = false) => (
    <HitList hits={entries.map((entry) => viewEntry(entry, view))} kinds={kinds} nowMs={view.nowMs} />
  )
  const shown = (entries: readonly Entry[], kinds = false) =>
    asList ? (
      list(entries, kinds)
    ) : (
      <HitTiles hits={entries.map((entry) => viewEntry(entry, view))} kinds={kinds} />
    )
  return (
    <div className="mt-2 grid gap-x-12 gap-y-14 sm:mt-10 lg:grid-cols-2">
      <Some
        title="New"
        more={<More href="/feed">The whole feed, live</More>}
        empty="Nothing is published yet."
        entries={overview.newest}
      >
        {shown(overview.newest, true)}
      </Some>
      <Some
        title="Most used"
        more={
          <>
            <More href={discoverHref({ kind: 'connector', sort: 'used', list: asList })}>By kind</More>,{' '}
            <More href="/network">who builds on what</More>
          </>
        }
        empty="No connector builds on another yet."
        entries={overview.used}
      >
        {shown(overview.used, true)}
      </Some>
      <Some
        title="Worlds"
        wide
        lead="Pages that turn particles into something to see and hear. They run walled off from everything else."
        more={<More href="/worlds">The gallery</More>}
        empty="No World has been uploaded here yet."
        entries={overview.worlds}
      >
        {shown(overview.worlds)}
      </Some>
      <Some
        title="Formats"
        lead="The shape of an output. Connectors that share one fit together."
        more={<More href={discoverHref({ kind: 'format' })}>All formats</More>}
        empty="No connector has given a format yet."
        entries={overview.formats}
      >
        {list(overview.formats)}
      </Some>
      <Some
        title="People"
        lead="Those who have published most."
        more={<More href={discoverHref({ kind: 'person' })}>More people</More>}
        empty="Nobody has published yet."
        entries={overview.people}
      >
        {list(overview.people)}
      </Some>
      <Part title="Follow along">
        <p className="max-w-prose border-line border-t pt-3 text-ink-soft text-sm">
          What is published comes as an{' '}
          <a className={textLink} href="/feed.xml">
            Atom feed
          </a>{' '}
          for feed readers, and as a{' '}
          <a className={textLink} href="/docs/api">
            stream
          </a>{' '}
          for programs.
        </p>
      </Part>
    </div>
  )
}

function Some({
  title,
  wide = false,
  lead,
  more,
  empty,
  entries,
  children,
}: {
  title: string
  /** Across all columns. */
  wide?: boolean
  lead?: string
  more: ReactNode
  empty: string
  entries: readonly Entry[]
  children: ReactNode
}) {
  return (
    <Part title={title} lead={lead} className={wide ? 'lg:col-span-2' : ''}>
      {entries.length === 0 ? (
        <p className="border-line border-t py-3 text-ink-soft text-sm">{empty}</p>
      ) : (
        <>
          {children}
          <p className="mt-4 border-line border-t pt-3 text-sm">{more}</p>
        </>
      )}
    </Part>
  )
}

function More({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={textLink} href={href}>
      {children}
    </a>
  )
}

function OneKind({ query, view }: { query: DiscoverQuery; view: DiscoverView }) {
  const { kind = 'connector', page } = query
  const hits = view.entries.map((entry) => viewEntry(entry, view))
  const asTiles = !query.list && hits.some(({ picture }) => picture !== undefined)
  return (
    <section aria-label={kindsName(kind)} className={`mt-8 ${asTiles ? '' : 'max-w-[46rem]'}`}>
      {asTiles ? <HitTiles hits={hits} /> : <HitList hits={hits} nowMs={view.nowMs} />}
      {view.entries.length === 0 ? (
        <p className="border-line border-t py-4 text-ink-soft">
          {page > 0 ? 'The list ends before this page. ' : 'There is none yet. '}
          <a className={textLink} href={discoverHref(page > 0 ? { ...query, page: 0 } : {})}>
            {page > 0 ? 'Its beginning' : 'See everything else'}
          </a>
        </p>
      ) : null}
      <PageLinks
        of="the list"
        back={page > 0 && view.entries.length > 0 && ['Back', discoverHref({ ...query, page: page - 1 })]}
        next={view.more && ['More', discoverHref({ ...query, page: page + 1 })]}
      />
    </section>
  )
}

/** The view of a listed entry. */
function viewEntry(entry: Entry, { names, counts, titleOf }: DiscoverView): HitView {
  switch (entry.of) {
    case 'entity': {
      const { entity, createdAtMs } = entry
      const uses = entity.usedBy === 0 ? [] : [`used by ${counted(entity.usedBy, 'connector')}`]
      const notes = [...uses, ...countWords(counts(entity))]
      const titled = { ...entity, title: titleOf(entity) }
      return { ...viewEntity(titled, { notes, ownerName: names.get(entity.owner) }), atMs: createdAtMs }
    }
    case 'format':
      return viewFormat(entry.format)
    case 'person':
      return viewPerson({ ...entry, name: names.get(entry.address) })
    case 'world': {
      const { id, owner, manifest } = entry.world
      return viewWorld(
        { slug: manifest.slug, owner, title: manifest.name },
        { ownerName: names.get(owner), notes: countWords(counts({ kind: 'world', name: id })) },
      )
    }
  }
}
