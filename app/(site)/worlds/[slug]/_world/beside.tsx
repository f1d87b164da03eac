'use client'

import { worldPageHref } from '../../../../../lib/domain/world-link.ts'
import type { DrawingWorld } from '../../../../../lib/site-data/drawing-world.ts'
import { textLink } from '../../../../../lib/ui/link-style.ts'
import { FitSign } from '../../../../../lib/ui/world/feed/fit-sign.tsx'
import type { Feed } from '../../../../../lib/ui/world/feed/use-feed.ts'
import { useFit } from '../../../../../lib/ui/world/feed/use-fit.ts'
import { WorldFrame } from '../../../../../lib/ui/world/world-frame.tsx'

/** Another World drawing the same run, with how well that suits it. */
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
  const fit = useFit(needs, feed.asked.connector)?.fit
  return (
    <section aria-label={`Beside it: ${framed.name}`} className="min-w-0">
      <WorldFrame world={framed} payload={feed.alone} shape={shape} />
      <div className="mt-1 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
        <a className={`${textLink} font-medium`} href={worldPageHref(beside.slug, feed.asked)}>
          {framed.name}
        </a>
        {fit ? <FitSign fit={fit.fit} /> : null}
        <a className={textLink} href={worldPageHref(slug, feed.asked, undefined, feed.slots)}>
          Take it away
        </a>
      </div>
      {fit ? <p className="mt-1 text-ink-soft text-sm">{fit.reason}</p> : null}
    </section>
  )
}
