'use client'

import { worldPageHref } from '../../../../../lib/protocol/run-link.ts'
import { textLink } from '../../../../../lib/ui/components/link-style.ts'
import { useFit } from '../../../../../lib/ui/world/feed/fetch-starts.ts'
import { FitBadge } from '../../../../../lib/ui/world/feed/fit-badge.tsx'
import type { Feed } from '../../../../../lib/ui/world/feed/use-feed.ts'
import { WorldFrame } from '../../../../../lib/ui/world/world-frame.tsx'
import type { DrawingWorld } from '../../../../../lib/views/world.ts'

/** Another World that draws the same run, with its fit. */
export function BesideFrame({
  slug,
  beside,
  feed,
  shape,
}: {
  /** Of the World whose page this is. */
  slug: string
  beside: DrawingWorld
  feed: Feed
  shape: string
}) {
  const { framed, needs } = beside
  const fit = useFit(needs, feed.request.connector)?.fit
  return (
    <section aria-label={`Beside it: ${framed.name}`} className="min-w-0">
      <WorldFrame world={framed} payload={feed.alone} shape={shape} />
      <div className="mt-1 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
        <a className={`${textLink} font-medium`} href={worldPageHref(beside.slug, feed.request)}>
          {framed.name}
        </a>
        {fit ? <FitBadge fit={fit.fit} /> : null}
        <a className={textLink} href={worldPageHref(slug, feed.request, undefined, feed.slots)}>
          Take it away
        </a>
      </div>
      {fit ? <p className="mt-1 text-ink-soft text-sm">{fit.reason}</p> : null}
    </section>
  )
}
