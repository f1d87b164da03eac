'use client'

import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { MAX_LINK_LENGTH } from '../../../../../lib/domain/run-link.ts'
import type { WorldNeeds } from '../../../../../lib/domain/world-compatibility.ts'
import { worldPageHref } from '../../../../../lib/domain/world-link.ts'
import type { DrawingWorld } from '../../../../../lib/site-data/drawing-world.ts'
import { ButtonLink } from '../../../../../lib/ui/button.tsx'
import { CopyLink } from '../../../../../lib/ui/copy-link.tsx'
import { studioHref } from '../../../../../lib/ui/studio/shell/deep-link.ts'
import type { OfferedChoice } from '../../../../../lib/ui/world/feed/connector-choice.tsx'
import { FeedControls } from '../../../../../lib/ui/world/feed/feed-controls.tsx'
import { type Delivered, useFeed } from '../../../../../lib/ui/world/feed/use-feed.ts'
import type { FramedWorld } from '../../../../../lib/ui/world/framed-world.ts'
import { WorldFrame } from '../../../../../lib/ui/world/world-frame.tsx'
import { WorldChoice } from '../../../../../lib/ui/world-gallery/world-choice.tsx'
import { BesideFrame } from './beside.tsx'

const SHAPE = 'aspect-square lg:aspect-auto lg:h-[min(78dvh,46rem)]'
const HALF = 'aspect-square lg:aspect-[3/4]'

/** A World, what feeds it, and the controls for that; the address follows what is chosen. */
export function WorldBoard({
  slug,
  world,
  needs,
  delivered,
  choices,
  beside,
  below,
  children,
}: {
  slug: string
  world: FramedWorld
  needs: WorldNeeds
  delivered: Delivered
  choices: readonly OfferedChoice[]
  /** Draws the same run beside it. */
  beside: DrawingWorld | undefined
  /** Under the frame. */
  below: ReactNode
  /** Under the controls. */
  children: ReactNode
}) {
  const limits = world.valueLimits
  const about = useMemo(() => ({ needs, limits }), [needs, limits])
  const feed = useFeed(delivered, about, 'world-page')
  const href = worldPageHref(slug, feed.asked, beside?.slug, feed.slots)
  const shown = useRef(href)
  useEffect(() => {
    if (shown.current === href || href.length > MAX_LINK_LENGTH) return
    shown.current = href
    window.history.replaceState(null, '', href)
  }, [href])
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr] lg:items-start">
      <div className="min-w-0">
        {beside ? (
          <div className="grid gap-4 sm:grid-cols-2">
            <section aria-label={world.name} className="min-w-0">
              <WorldFrame world={world} payload={feed.payload} shape={HALF} />
            </section>
            <BesideFrame slug={slug} beside={beside} feed={feed} shape={HALF} />
          </div>
        ) : (
          <WorldFrame world={world} payload={feed.payload} shape={SHAPE} />
        )}
        <div className="mt-3">
          <WorldChoice
            title="Another World beside it"
            label="Worlds to put beside it"
            hrefOf={(other) => worldPageHref(slug, feed.asked, other, feed.slots)}
            leftOut={[slug, beside?.slug]}
          />
        </div>
      </div>
      <aside
        aria-label="What feeds it"
        className="min-w-0 space-y-10 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <section aria-labelledby="fed" className="border-ink border-t-2 pt-3">
          <h2 id="fed" className="pb-3 font-semibold text-base">
            Fed by
          </h2>
          <FeedControls
            feed={feed}
            choices={choices}
            limits={limits}
            hrefOf={(connector) =>
              worldPageHref(
                slug,
                { connector, count: feed.asked.count, dynamicRi: [] },
                beside?.slug,
                feed.slots,
              )
            }
          />
          <div className="mt-6 flex flex-wrap items-center gap-2">
            {href.length > MAX_LINK_LENGTH ? (
              <p className="text-sm">It sets too many starts for a link.</p>
            ) : (
              <CopyLink href={href} />
            )}
            <ButtonLink href={studioHref('open', 'connector', feed.asked.connector)}>
              Open in studio
            </ButtonLink>
          </div>
        </section>
        {children}
      </aside>
      <div className="min-w-0 lg:col-start-1 lg:row-start-2">{below}</div>
    </div>
  )
}
