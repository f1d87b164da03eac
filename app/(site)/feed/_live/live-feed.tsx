'use client'

import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { FeedRow as Row } from '../../../../lib/site-data/feed.ts'
import type { FeedQuery } from '../../../../lib/site-data/feed-query.ts'
import { feedHref } from '../../../../lib/site-data/feed-query.ts'
import { Button, ButtonLink } from '../../../../lib/ui/button.tsx'
import { counted } from '../../../../lib/ui/format.ts'
import { textLink } from '../../../../lib/ui/link-style.ts'
import { ConnectionSign } from './connection-sign.tsx'
import { FeedRow } from './feed-row.tsx'
import { acceptsFor, applyDelta, type LiveFeed as Feed, showWaiting } from './live-state.ts'
import { useChainStatus } from './use-chain-status.ts'
import { type Connection, useFeedStream } from './use-feed-stream.ts'

/**
 * A page of the feed that stays true while it is read: what happens to an item is shown on it, in its place; new
 * items wait until they are asked for, so that nothing is pushed away from under a reader's eyes.
 */
export function LiveFeed({
  rows,
  newest,
  streamSeq,
  query,
  nowMs,
  empty,
}: {
  rows: readonly Row[]
  /** Cursor of the newest item of the query when the page was made; '' for none. */
  newest: string
  streamSeq: number
  query: FeedQuery
  nowMs: number
  /** Stands in for a list without items. */
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
    // The button that was pressed is gone: go on reading at the first new item.
    if (arrivals > 0) list.current?.querySelector<HTMLElement>('a')?.focus({ preventScroll: false })
  }, [arrivals])

  const older = query.before !== undefined
  return (
    <div>
      <div className="sticky top-0 z-10 flex h-14 items-center justify-between gap-4 border-ink border-b-2 bg-ground">
        <span className="unscripted text-ink-soft text-sm">
          As of this moment.{' '}
          <a className={textLink} href={feedHref(query)}>
            Load again
          </a>{' '}
          for what is newer.
        </span>
        <span className="scripted">
          <ConnectionSign connection={connection} />
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

/** The right end of the bar: what there is to do about what happened. */
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
  /** Where the new items are, unless they belong on this page. */
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
      <Button look="primary" onClick={onShow}>
        Show {counted(waiting, 'new item')}
      </Button>
    ) : (
      <ButtonLink look="primary" href={firstPage}>
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

/** Words for people who do not see the list change. */
function announcement({ items, waiting }: Feed): string {
  const removed = items.filter(({ change }) => change === 'removed').map(({ name }) => name)
  const returned = items.filter(({ change }) => change === 'returned').map(({ name }) => name)
  return [
    waiting.length > 0 ? `${counted(waiting.length, 'new item')} to show.` : '',
    removed.length > 0 ? `Taken back by a reorganisation: ${removed.join(', ')}.` : '',
    returned.length > 0 ? `Mined again: ${returned.join(', ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}
