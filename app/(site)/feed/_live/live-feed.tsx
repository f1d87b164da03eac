'use client'

import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { Ring } from '#lib/ui/components/ring.tsx'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import type { FeedRow as Row } from '#lib/views/feed.ts'
import { type FeedQuery, feedHref } from '#lib/views/feed-query.ts'
import { FeedRow } from './feed-row.tsx'
import { acceptsFor, applyDelta, type LiveFeed as Feed, showWaiting } from './live-state.ts'
import { useChainStatus } from './use-chain-status.ts'
import { type Connection, useFeedStream } from './use-feed-stream.ts'

/** A live page of the feed: items are updated in place; new items are shown on a click, so that nothing moves. */
export function LiveFeed({
  rows,
  newest,
  streamSeq,
  query,
  nowMs,
  empty,
}: {
  rows: readonly Row[]
  /** Cursor of the newest item of the query when the page was rendered; '' for none. */
  newest: string
  streamSeq: number
  query: FeedQuery
  nowMs: number
  /** Shown for an empty list. */
  empty: ReactNode
}) {
  const [feed, setFeed] = useState<Feed>(() => ({ items: rows, waiting: [], streamSeq }))
  const [arrivals, setArrivals] = useState(0)
  const list = useRef<HTMLOListElement>(null)
  const accepts = useMemo(() => acceptsFor(query, newest), [query, newest])
  const connection = useFeedStream(streamSeq, (delta) => setFeed((now) => applyDelta(now, delta, accepts)))

  const show = () => {
    setFeed(showWaiting)
    setArrivals(arrivals + 1)
  }
  useEffect(() => {
    // The focused button is gone: focus the first new item.
    if (arrivals > 0) list.current?.querySelector<HTMLElement>('a')?.focus({ preventScroll: false })
  }, [arrivals])

  const older = query.before !== undefined
  return (
    <div>
      <div className="sticky top-0 z-over flex h-14 items-center justify-between gap-4 border-ink border-b-2 bg-ground">
        <span className="unscripted text-ink-soft text-sm">
          As of this moment.{' '}
          <a className={textLink} href={feedHref(query)}>
            Load again
          </a>{' '}
          for what is newer.
        </span>
        <span className="scripted">
          <ConnectionStatus connection={connection} />
        </span>
        <News
          waiting={feed.waiting.length}
          connection={connection}
          reload={feedHref(query)}
          firstPage={older ? feedHref({ ...query, before: undefined }) : undefined}
          onShow={show}
        />
      </div>
      <p className="sr-only" role="status">
        {announcement(feed)}
      </p>
      {feed.items.length === 0 ? empty : null}
      <ol ref={list} aria-label="Publications, newest first">
        {feed.items.map((item) => (
          <FeedRow key={item.feedId} item={item} nowMs={nowMs} />
        ))}
      </ol>
    </div>
  )
}

/** The action at the right end of the bar. */
function News({
  waiting,
  connection,
  reload,
  firstPage,
  onShow,
}: {
  waiting: number
  connection: Connection
  reload: string
  /** Link to the new items, unless they belong on this page. */
  firstPage: string | undefined
  onShow: () => void
}) {
  const status = useChainStatus()
  if (connection === 'gap') {
    return (
      <span className="scripted flex min-w-0 items-center gap-3 text-sm">
        <span className="truncate text-ink-soft">This page is older than what the server keeps.</span>
        <ButtonLink href={reload}>Reload</ButtonLink>
      </span>
    )
  }
  if (waiting > 0) {
    return firstPage === undefined ? (
      <Button look="filled" onClick={onShow}>
        Show {counted(waiting, 'new item')}
      </Button>
    ) : (
      <ButtonLink look="filled" href={firstPage}>
        {counted(waiting, 'new item')} on the first page
      </ButtonLink>
    )
  }
  if (connection === 'live' && status?.status === 'degraded') {
    return (
      <span className="truncate text-ink-soft text-sm">
        The server may be behind the chain.{' '}
        <a className={textLink} href="/status">
          Why?
        </a>
      </span>
    )
  }
  return (
    <span className="scripted truncate text-ink-soft text-sm">
      {connection === 'live' || connection === 'connecting'
        ? 'New items are announced here'
        : 'What you see may be out of date'}
    </span>
  )
}

/** Announces changes of the list to screen readers. */
function announcement({ items, waiting }: Feed): string {
  const removed = items.filter(({ change }) => change === 'removed').map(({ name }) => name)
  const returned = items.filter(({ change }) => change === 'returned').map(({ name }) => name)
  return [
    waiting.length > 0 ? `${counted(waiting.length, 'new item')} to show.` : '',
    removed.length > 0 ? `Removed by a reorganisation: ${removed.join(', ')}.` : '',
    returned.length > 0 ? `Mined again: ${returned.join(', ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}

const WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  offline: 'Offline',
  gap: 'Not live',
}

const COLORS: Readonly<Record<Connection, string>> = {
  connecting: 'var(--color-edge)',
  live: 'var(--color-verdigris)',
  reconnecting: 'var(--color-weld)',
  offline: 'var(--color-madder)',
  gap: 'var(--color-madder)',
}

/** The state of the stream, as a word with an icon: a closed ring while connected, a broken one otherwise. */
function ConnectionStatus({ connection }: { connection: Connection }) {
  const live = connection === 'live'
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap font-medium text-sm">
      <Ring color={COLORS[connection]} open={!live} fill={live ? 'dot' : undefined} />
      {WORDS[connection]}
    </span>
  )
}
