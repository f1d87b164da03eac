import type { Metadata } from 'next'
import { connection } from 'next/server'
import { counted, shortHex } from '#lib/browser/format.ts'
import { type Address, ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { kindsName } from '#lib/protocol/kind-name.ts'
import { LISTED_KINDS, type ListedKind } from '#lib/protocol/listed-kind.ts'
import { formatHref } from '#lib/ui/components/entity-href.ts'
import { FilterLinks, FilterRow, LAYOUTS } from '#lib/ui/components/filter-links.tsx'
import { measure } from '#lib/ui/components/measure.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { AtomLink, PageHead } from '#lib/ui/components/page-head.tsx'
import { PageLinks } from '#lib/ui/components/page-links.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { HitList, HitTiles } from '#lib/ui/lists/hit-list.tsx'
import { type HitView, viewEntity, viewFormat, viewPerson, viewWorld } from '#lib/ui/lists/hit-view.ts'
import { countWords } from '#lib/ui/people/counts.ts'
import { Wall } from '#lib/ui/wall/wall.tsx'
import {
  type DiscoverQuery,
  type DiscoverView,
  discoverHref,
  discoverView,
  type Entry,
  readDiscoverQuery,
} from '#lib/views/discover.ts'
import { readForPage, readViewer } from '#lib/views/read.ts'
import { readWallQuery, type WallAddress, wallHref, wallView } from '#lib/views/wall.ts'
import { chosenOnWall, WallFilters } from './_wall/wall-filters.tsx'

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const query = readDiscoverQuery(await searchParams)
  return {
    title: query === undefined ? 'Discover' : `${kindsName(query.kind)}, discover`,
    description: 'Pieces to look at, to listen to and to remix.',
  }
}

export default async function DiscoverPage({ searchParams }: Props) {
  await connection()
  const params = await searchParams
  const query = readDiscoverQuery(params)
  return query === undefined ? <WallPage query={readWallQuery(params)} /> : <ListPage query={query} />
}

async function WallPage({ query }: { query: WallAddress }) {
  const viewer = query.of === 'followed' ? (await readViewer())?.address : undefined
  const reading = await readForPage('the wall', (ctx) => wallView(ctx, query, viewer))
  return (
    <>
      <AtomLink />
      <PageHead
        title="Discover"
        lead={<p>Pieces to look at, to listen to and to remix: each can be opened and changed.</p>}
      />
      <div className={`${measure} mt-2 sm:mt-4`}>
        {reading.ok ? (
          <>
            <FilterRow
              labels={chosenOnWall(query, reading.value.worlds)}
              menu={<WallFilters query={query} worlds={reading.value.worlds} />}
            />
            <div className="mt-4 sm:mt-6">
              {reading.value.tiles.length === 0 ? (
                <Empty query={query} viewer={viewer} />
              ) : (
                <Wall key={wallHref(query)} delivered={reading.value} />
              )}
            </div>
          </>
        ) : null}
      </div>
      {reading.ok ? null : <Unreadable again={wallHref(query)} />}
      <div className={measure}>
        <Elsewhere />
      </div>
    </>
  )
}

function Empty({ query, viewer }: { query: WallAddress; viewer: Address | undefined }) {
  const [words, href, label] =
    query.after !== undefined
      ? ['The wall ends before this page.', wallHref({ ...query, after: undefined }), 'Its beginning']
      : query.of === 'followed' && viewer === undefined
        ? ['Sign in to see the pieces of people you follow.', wallHref({ ...query, of: 'all' }), 'All pieces']
        : wallHref(query) === wallHref({})
          ? ['No piece is published yet.', '/studio', 'Make the first']
          : ['No piece is like this yet.', wallHref({}), 'All pieces']
  return (
    <p className="border-line border-t py-4 text-ink-soft">
      {words}{' '}
      <a className={textLink} href={href}>
        {label}
      </a>
    </p>
  )
}

/** Links from the wall to the lists, which have all that pieces are made of. */
function Elsewhere() {
  return (
    <nav aria-label="Lists" className="mt-16 border-line border-t pt-4 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-6">
        <span className="text-ink-soft">Lists:</span>
        {LISTS.map((kind) => (
          <a key={kind} className={`${textLink} py-2`} href={discoverHref({ kind })}>
            {listName(kind)}
          </a>
        ))}
      </p>
    </nav>
  )
}

/** Worlds have a page of their own. */
const LISTS = LISTED_KINDS.filter((kind) => kind !== 'world')

function listName(kind: ListedKind): string {
  return kind === 'connector' ? 'Pieces by name' : kindsName(kind)
}

/** Tabs of the lists, and the way back to the wall. */
function Kinds({ kind, list }: { kind: ListedKind; list: boolean }) {
  return (
    <FilterLinks
      label="Kind"
      titled={false}
      choices={[['All pieces', undefined], ...LISTS.map((each) => [listName(each), each] as const)]}
      value={kind}
      hrefOf={(each) => (each === undefined ? wallHref({}) : discoverHref({ kind: each, list }))}
    />
  )
}

async function ListPage({ query }: { query: DiscoverQuery }) {
  const reading = await readForPage('what there is to discover', (ctx) => discoverView(ctx, query))
  return (
    <>
      <AtomLink />
      <PageHead title="Discover" lead={<p>{LEADS[query.kind]}</p>} />
      <div className={`${measure} mt-2 sm:mt-4`}>
        <FilterRow labels={chosenInList(query)} menu={<Filters query={query} />}>
          <Kinds kind={query.kind} list={query.list} />
        </FilterRow>
        {reading.ok ? <OneKind query={query} view={reading.value} /> : null}
      </div>
      {reading.ok ? null : <Unreadable again={discoverHref(query)} />}
    </>
  )
}

const LEADS: Readonly<Record<ListedKind, string>> = {
  connector: 'Every piece by its name, and the pieces that others are made of.',
  transformation: 'Functions that make the next number from the last.',
  condition: 'Functions that say whether a piece may play.',
  format: 'The shape of an output. Pieces that share one fit together.',
  person: 'Those who have published most.',
  world: 'Pages that turn numbers into something to see and hear.',
}

const ORDERS = [
  ['Newest', 'new'],
  ['Most used', 'used'],
] as const

function Filters({ query }: { query: DiscoverQuery }) {
  const isEntity = ENTITY_KINDS.some((kind) => kind === query.kind)
  const start = { ...query, page: 0 }
  return (
    <>
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
    </>
  )
}

/** Filters that differ from the beginning of a list, in words. */
function chosenInList({ sort, list, format }: DiscoverQuery): readonly string[] {
  return [
    ...ORDERS.filter(([, order]) => order === sort && order !== 'new').map(([label]) => label),
    ...(list ? ['List'] : []),
    ...(format === undefined ? [] : ['One format']),
  ]
}

function OneKind({ query, view }: { query: DiscoverQuery; view: DiscoverView }) {
  const { kind, page } = query
  const hits = view.entries.map((entry) => viewEntry(entry, view))
  const asTiles = !query.list && hits.some(({ picture }) => picture !== undefined)
  return (
    <section aria-label={kindsName(kind)} className={`mt-8 ${asTiles ? '' : 'max-w-[46rem]'}`}>
      {asTiles ? <HitTiles hits={hits} /> : <HitList hits={hits} nowMs={view.nowMs} />}
      {view.entries.length === 0 ? (
        <p className="border-line border-t py-4 text-ink-soft">
          {page > 0 ? 'The list ends before this page. ' : 'There is none yet. '}
          <a className={textLink} href={page > 0 ? discoverHref({ ...query, page: 0 }) : wallHref({})}>
            {page > 0 ? 'Its beginning' : 'See the pieces'}
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
      const { entity } = entry
      const uses = entity.usedBy === 0 ? [] : [`used by ${counted(entity.usedBy, 'piece')}`]
      const notes = [...uses, ...countWords(counts(entity))]
      const titled = { ...entity, title: titleOf(entity) }
      return viewEntity(titled, { notes, ownerName: names.get(entity.owner) })
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
