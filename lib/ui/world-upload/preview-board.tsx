'use client'

import { type ReactNode, useMemo, useState } from 'react'
import type { PreviewView } from '../../site-data/world-preview.ts'
import type { WorldStatePayload } from '../../world-sdk/protocol.ts'
import { entityHref } from '../entity-href.ts'
import { FeedControls } from '../world/feed/feed-controls.tsx'
import { type Delivered, useFeed } from '../world/feed/use-feed.ts'
import { NetworkBadge } from '../world/network-badge.tsx'
import { PermissionSheet } from '../world/permission-sheet.tsx'
import { WorldFrame } from '../world/world-frame.tsx'
import { Inspector } from './inspector.tsx'
import { useMessages } from './messages.ts'
import { sampleRun } from './sample-run.ts'

const SHAPE = 'aspect-square lg:aspect-auto lg:h-[min(70dvh,40rem)]'

/** A World that is not published, drawing, with what feeds it and what is said between it and the page. */
export function PreviewBoard({ view }: { view: PreviewView }) {
  const { fed, needs, framed } = view
  const sample = useMemo(() => sampleRun(needs, framed.valueLimits), [needs, framed])
  return fed ? (
    <FedBoard view={view} fed={fed} sample={sample} />
  ) : (
    <Board view={view} payload={sample}>
      <p className="text-sm">This network has no connectors yet, so sample numbers feed it.</p>
    </Board>
  )
}

function FedBoard({ view, fed, sample }: { view: PreviewView; fed: Delivered; sample: WorldStatePayload }) {
  const [by, setBy] = useState<'connector' | 'sample'>('connector')
  const { needs, framed, candidates } = view
  const limits = framed.valueLimits
  const about = useMemo(() => ({ needs, limits }), [needs, limits])
  const feed = useFeed(fed, about, 'world-page')
  const choice = (value: typeof by, words: string) => (
    <label className="flex min-h-9 items-center gap-2 text-sm pointer-coarse:min-h-11">
      <input
        type="radio"
        name="fed-by"
        checked={by === value}
        onChange={() => setBy(value)}
        className="size-4 accent-accent"
      />
      {words}
    </label>
  )
  return (
    <Board view={view} payload={by === 'sample' ? sample : feed.payload}>
      <fieldset className="flex flex-wrap gap-x-6 pb-3">
        <legend className="sr-only">What feeds it</legend>
        {choice('connector', 'A connector')}
        {choice('sample', 'Sample numbers')}
      </fieldset>
      {by === 'connector' ? (
        <FeedControls
          feed={feed}
          choices={candidates}
          limits={limits}
          hrefOf={(connector) => entityHref('connector', connector)}
        />
      ) : (
        <p className="text-sm">
          Made up here, one stream for each connector the manifest names, up and down within its ranges.
        </p>
      )}
    </Board>
  )
}

function Board({
  view: { framed },
  payload,
  children,
}: {
  view: PreviewView
  payload: WorldStatePayload | undefined
  children: ReactNode
}) {
  const { messages, paused, setPaused, clear, hear } = useMessages()
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr] lg:items-start">
      <div className="min-w-0">
        <WorldFrame world={framed} payload={payload} shape={SHAPE} onMessage={hear} />
      </div>
      <aside
        aria-label="What feeds it"
        className="min-w-0 space-y-10 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <section aria-labelledby="fed" className="border-ink border-t-2 pt-3">
          <h2 id="fed" className="pb-3 font-semibold text-base">
            Fed by
          </h2>
          {children}
        </section>
        <section aria-labelledby="trust" className="border-ink border-t-2 pt-3">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 pb-3">
            <h2 id="trust" className="font-semibold text-base">
              What it may do
            </h2>
            <NetworkBadge />
          </div>
          <PermissionSheet permissions={framed.permissions} />
        </section>
      </aside>
      <div className="min-w-0 lg:col-start-1 lg:row-start-2">
        <Inspector messages={messages} paused={paused} onPause={setPaused} onClear={clear} />
      </div>
    </div>
  )
}
