'use client'

import { useMemo } from 'react'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { FeedControls } from '#lib/ui/world/feed/feed-controls.tsx'
import { type Delivered, useFeed } from '#lib/ui/world/feed/use-feed.ts'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import { sampleRun } from '#lib/ui/world-upload/preview-board.tsx'
import type { PreviewView } from '#lib/views/world.ts'

const SHAPE = 'aspect-square lg:aspect-auto lg:h-[min(60dvh,36rem)]'

/** The remix as it is now; what feeds it stays from one edit to the next. */
export default function LivePreview({ view }: { view: PreviewView }) {
  const { fed, needs, framed } = view
  const sample = useMemo(() => sampleRun(needs, framed.valueLimits), [needs, framed])
  if (fed) return <FedPreview view={view} fed={fed} />
  return <WorldFrame key={framed.entryUrl} world={framed} payload={sample} shape={SHAPE} />
}

function FedPreview({ view: { framed, needs, candidates }, fed }: { view: PreviewView; fed: Delivered }) {
  const limits = framed.valueLimits
  const about = useMemo(() => ({ needs, limits }), [needs, limits])
  const feed = useFeed(fed, about)
  return (
    <>
      <WorldFrame key={framed.entryUrl} world={framed} payload={feed.payload} shape={SHAPE} />
      <details className="mt-3 border-line border-y">
        <summary className="min-h-11 cursor-pointer py-2.5 text-sm">
          Fed by <code>{feed.request.connector}</code>
        </summary>
        <div className="pb-4">
          <FeedControls
            feed={feed}
            choices={candidates}
            limits={limits}
            hrefOf={(connector) => entityHref('connector', connector)}
          />
        </div>
      </details>
    </>
  )
}
