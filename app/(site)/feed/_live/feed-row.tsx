import { memo } from 'react'
import { formatInteger, shortHex } from '#lib/browser/format.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { Breakable } from '#lib/ui/components/breakable.tsx'
import { blockHref, entityHref, ownerHref, TILE, tileHref } from '#lib/ui/components/entity-href.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { StatusChip } from '#lib/ui/components/status-chip.tsx'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { quietLink, textLink } from '#lib/ui/kit/link-style.ts'
import type { LiveItem } from './live-state.ts'

/** A row of the feed. Updates change its text, never its position or height. */
export const FeedRow = memo(function FeedRow({ item, nowMs }: { item: LiveItem; nowMs: number }) {
  const { kind, name, title, status, createdAtMs, change } = item
  const removed = status === 'removed'
  return (
    <li
      data-change={change}
      className="group grid min-h-22 grid-cols-[4rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 border-line border-b py-3 data-[change=arrived]:arrived sm:min-h-17 sm:grid-cols-[4rem_minmax(0,1fr)_6.5rem_6rem] sm:gap-x-5"
    >
      <span className="grid aspect-video place-items-center overflow-hidden rounded-sm bg-sunk outline outline-line">
        {removed ? (
          <span className="opacity-40 grayscale">
            <KindMark kind={kind} />
          </span>
        ) : (
          // biome-ignore lint/performance/noImgElement: drawn by this server, in the size in which it is shown
          <img
            {...TILE}
            src={tileHref(kind, name)}
            alt=""
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
          />
        )}
      </span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          {removed ? (
            <s className="mono line-clamp-2 min-h-6 text-ink-soft text-sm leading-6 decoration-1 decoration-madder [overflow-wrap:anywhere]">
              <Breakable name={name} />
            </s>
          ) : (
            <a
              href={entityHref(kind, name)}
              className={`${quietLink} ${title === undefined ? 'mono text-sm max-sm:text-xs' : ''} line-clamp-2 min-h-6 font-medium leading-6 max-sm:leading-6 [overflow-wrap:anywhere]`}
            >
              {title === undefined ? <Breakable name={name} /> : <bdi>{title}</bdi>}
            </a>
          )}
          <span className="text-ink-soft text-xs">{kindWord(kind)}</span>
        </p>
        <p className="mt-0.5 text-ink-soft text-xs max-sm:hidden">
          <Place item={item} />
        </p>
      </div>
      <span className="justify-self-end sm:justify-self-start">
        <StatusChip status={status} />
      </span>
      <p className="text-right text-ink-soft text-xs max-sm:hidden">
        <TimeAgo ms={createdAtMs} nowMs={nowMs} />
      </p>
      <p className="col-span-2 col-start-2 text-ink-soft text-xs sm:hidden">
        <Place item={item} />
        {removed ? null : (
          <>
            , <TimeAgo ms={createdAtMs} nowMs={nowMs} />
          </>
        )}
      </p>
    </li>
  )
})

/** The block of an item, or that it was removed. */
function Place({ item }: { item: LiveItem }) {
  const { owner, ownerName, status, blockNumber, change } = item
  if (status === 'removed') {
    return (
      <>
        Removed: a reorganisation dropped block {formatInteger(blockNumber)}.{' '}
        <a className={textLink} href="#finality">
          Why?
        </a>
      </>
    )
  }
  return (
    <>
      {change === 'returned' ? 'Mined again in ' : ''}
      <a className={quietLink} href={blockHref(blockNumber)}>
        block {formatInteger(blockNumber)}
      </a>{' '}
      by{' '}
      <a className={quietLink} href={ownerHref(owner)} title={owner}>
        {ownerName === undefined ? <span className="mono">0x{shortHex(owner)}</span> : <bdi>{ownerName}</bdi>}
      </a>
    </>
  )
}
