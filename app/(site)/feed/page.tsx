import type { Metadata } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import type { FeedStatus } from '#lib/core/feed/read-status.ts'
import { FilterLinks, FilterRow } from '#lib/ui/components/filter-links.tsx'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice, Unreadable } from '#lib/ui/components/notice.tsx'
import { AtomLink, PageTitle } from '#lib/ui/components/page-head.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { type ItemStatus, StatusChip } from '#lib/ui/components/status-chip.tsx'
import { exactTime } from '#lib/ui/components/time.ts'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { KIND_CHOICES } from '#lib/ui/lists/hit-view.ts'
import { type FeedView, feedView } from '#lib/views/feed.ts'
import { type FeedQuery, feedHref, readFeedQuery } from '#lib/views/feed-query.ts'
import { readForPage } from '#lib/views/read.ts'
import { DevPanel } from './_live/dev-panel.tsx'
import { LiveFeed } from './_live/live-feed.tsx'
import { LiveHeads } from './_live/live-heads.tsx'

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const STATUS_CHOICES = [
  ['All', undefined],
  ['Observed', 'observed'],
  ['Safe', 'safe'],
  ['Finalized', 'finalized'],
  ['Removed', 'removed'],
] as const

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { block } = readFeedQuery(await searchParams)
  return {
    title: block === undefined ? 'Activity' : `Block ${formatInteger(block)}`,
    description: 'Everything that is published on the network, newest first and live, with how firm it is.',
  }
}

export default async function FeedPage({ searchParams }: Props) {
  await connection()
  const query = readFeedQuery(await searchParams)
  const reading = await readForPage('the feed', (ctx) => feedView(ctx, query))
  const title = query.block === undefined ? 'Activity' : `Block ${formatInteger(query.block)}`
  if (!reading.ok) return <Unreadable title={title} again={feedHref(query)} />
  const view = reading.value
  return (
    <div className={`${measure} grid gap-x-14 gap-y-14 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start`}>
      <AtomLink />
      <div className="min-w-0">
        <PageTitle title={title} lead={<Lead query={query} view={view} />} />
        <div className="mt-5">
          {view.chain.degraded.length > 0 ? <Trouble view={view} /> : null}
          <Filters query={query} />
          <LiveFeed
            // Remounts for another query.
            key={feedHref(query)}
            rows={view.rows}
            newest={view.newest}
            streamSeq={view.streamSeq}
            query={query}
            nowMs={view.nowMs}
            empty={<Empty query={query} />}
          />
          <Pager query={query} next={view.nextBefore} />
        </div>
      </div>
      <aside aria-label="About the feed" className="space-y-10 lg:pt-3">
        <Finality chain={view.chain} />
        {view.devDepth === undefined ? null : <DevPanel depth={view.devDepth} />}
      </aside>
    </div>
  )
}

function Lead({ query, view }: { query: FeedQuery; view: FeedView }) {
  if (query.block === undefined) {
    return <p>Everything that is published, in the order of the chain, the newest first.</p>
  }
  return (
    <>
      <p>
        What this block published.{' '}
        <a className={textLink} href={feedHref({ ...query, block: undefined, before: undefined })}>
          The whole feed
        </a>
      </p>
      {view.block ? (
        <p className="mt-2 text-sm">
          {exactTime(view.block.createdAtMs)}
          <code className="mt-1 block text-xs [overflow-wrap:anywhere]">{view.block.hash}</code>
        </p>
      ) : null}
    </>
  )
}

function Filters({ query }: { query: FeedQuery }) {
  const start = { ...query, before: undefined }
  return (
    <FilterRow
      labels={STATUS_CHOICES.filter(([, each]) => each === query.status && each !== undefined).map(
        ([label]) => label,
      )}
      menu={
        <FilterLinks
          label="Status"
          choices={STATUS_CHOICES}
          value={query.status}
          hrefOf={(status) => feedHref({ ...start, status })}
        />
      }
    >
      <FilterLinks
        label="Kind"
        titled={false}
        choices={KIND_CHOICES}
        value={query.kind}
        hrefOf={(kind) => feedHref({ ...start, kind })}
      />
    </FilterRow>
  )
}

/** Why the feed may be stale. */
function Trouble({ view }: { view: FeedView }) {
  return (
    <div className="mb-6">
      <Notice title="The feed may be behind the chain">
        {view.chain.degraded.map(({ code, sentence }) => (
          <p key={code}>{sentence}</p>
        ))}
        <p>
          What is listed stays true as of block{' '}
          {view.chain.processed === null ? '–' : formatInteger(view.chain.processed)}.{' '}
          <a className={textLink} href="/status">
            Status, and what to do
          </a>
        </p>
      </Notice>
    </div>
  )
}

function Empty({ query }: { query: FeedQuery }): ReactNode {
  const narrowed = query.kind !== undefined || query.status !== undefined || query.block !== undefined
  if (query.status === 'removed') {
    return (
      <p className="py-8 text-ink-soft">
        No publication is removed by a reorganisation right now. Removed ones are listed here until they are
        mined again.
      </p>
    )
  }
  if (query.before !== undefined || narrowed) {
    return (
      <p className="py-8 text-ink-soft">
        Nothing here matches.{' '}
        <a className={textLink} href="/feed">
          Show everything
        </a>
      </p>
    )
  }
  return (
    <div className="py-6">
      <Notice title="Nothing is published here yet">
        <p>
          The first publication shows up on this page the moment its block is read. A server started with{' '}
          <code>npm start</code> and an empty chain publishes an example network by itself; it may still be at
          it.
        </p>
        <ButtonLink href="/docs/tutorial">How to publish</ButtonLink>
      </Notice>
    </div>
  )
}

function Pager({ query, next }: { query: FeedQuery; next: string | undefined }) {
  if (next === undefined && query.before === undefined) return null
  return (
    <nav aria-label="Pages of the feed" className="mt-6 flex flex-wrap gap-3">
      {query.before === undefined ? null : (
        <ButtonLink href={feedHref({ ...query, before: undefined })}>Newest</ButtonLink>
      )}
      {next === undefined ? (
        <p className="self-center text-ink-soft text-sm">This is where it began.</p>
      ) : (
        <ButtonLink href={feedHref({ ...query, before: next })} rel="next">
          Older
        </ButtonLink>
      )}
    </nav>
  )
}

const MEANINGS: readonly (readonly [ItemStatus, string])[] = [
  ['observed', 'In a block that the chain may still replace.'],
  ['safe', 'Losing it would take a serious failure.'],
  ['finalized', 'For good: behind this point the chain never rewrites its history. That is finality.'],
  ['removed', 'A reorganisation replaced its block. Mined again, it comes back.'],
]

/** The four statuses, and where on the chain each begins. */
function Finality({ chain }: { chain: FeedStatus }) {
  return (
    <div id="finality" className="scroll-mt-4">
      <Part title="How firm is it?">
        <div className="pt-2">
          <LiveHeads
            heads={{
              head: chain.head,
              processed: chain.processed,
              safe: chain.safe,
              finalized: chain.finalized,
            }}
          />
        </div>
        <dl className="mt-5 space-y-2.5">
          {MEANINGS.map(([status, meaning]) => (
            <div key={status} className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3">
              <dt>
                <StatusChip status={status} />
              </dt>
              <dd className="text-ink-soft text-sm">{meaning}</dd>
            </div>
          ))}
        </dl>
      </Part>
    </div>
  )
}
