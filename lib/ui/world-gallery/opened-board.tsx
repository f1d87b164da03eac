'use client'

import { useMemo } from 'react'
import { worldPageHref } from '../../domain/world-link.ts'
import type { OpenedWorld } from '../../site-data/gallery.ts'
import { ButtonLink } from '../button.tsx'
import { FeedControls } from '../world/feed/feed-controls.tsx'
import { useFeed } from '../world/feed/use-feed.ts'
import { NetworkBadge } from '../world/network-badge.tsx'
import { WorldFrame } from '../world/world-frame.tsx'

const GRID = 'grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-start'
const SHAPE = 'aspect-square lg:aspect-auto lg:h-[max(20rem,calc(100dvh-13.5rem))]'

/** A World at work, with the controls of what feeds it. */
export function OpenedBoard({ opened }: { opened: OpenedWorld }) {
  const { tile, fed } = opened
  if (fed !== undefined) return <FedBoard opened={opened} fed={fed} />
  return (
    <div className={GRID}>
      <WorldFrame world={tile.framed} payload={undefined} shape={SHAPE} />
      <Beside opened={opened} href={worldPageHref(tile.slug)} />
    </div>
  )
}

function FedBoard({ opened, fed }: { opened: OpenedWorld; fed: NonNullable<OpenedWorld['fed']> }) {
  const { tile, needs, candidates } = opened
  const limits = tile.framed.valueLimits
  const about = useMemo(() => ({ needs, limits }), [needs, limits])
  const feed = useFeed(fed, about, 'world-page')
  return (
    <div className={GRID}>
      <WorldFrame world={tile.framed} payload={feed.payload} shape={SHAPE} />
      <div className="min-w-0 space-y-8">
        <section aria-label="What feeds it">
          <FeedControls
            feed={feed}
            choices={candidates}
            limits={limits}
            hrefOf={(connector) =>
              worldPageHref(tile.slug, { connector, count: feed.asked.count, dynamicRi: [] })
            }
          />
        </section>
        <Beside opened={opened} href={worldPageHref(tile.slug, feed.asked, undefined, feed.slots)} />
      </div>
    </div>
  )
}

/** What it is, and the way to its page, which takes along what feeds it. */
function Beside({ opened: { tile }, href }: { opened: OpenedWorld; href: string }) {
  return (
    <div className="min-w-0 space-y-4 border-line border-t pt-4">
      <p className="text-ink-soft text-sm [overflow-wrap:anywhere]">{tile.summary}</p>
      <div className="flex flex-wrap items-center gap-3">
        <ButtonLink href={href}>Its own page</ButtonLink>
        <NetworkBadge />
      </div>
    </div>
  )
}
