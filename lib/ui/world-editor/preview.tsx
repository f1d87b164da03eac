'use client'

import { type ReactNode, useMemo, useState } from 'react'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { Part } from '#lib/ui/components/part.tsx'
import { Radio } from '#lib/ui/kit/choice.tsx'
import { FeedControls } from '#lib/ui/world/feed/feed-controls.tsx'
import { type Delivered, useFeed } from '#lib/ui/world/feed/use-feed.ts'
import { PermissionSection } from '#lib/ui/world/permissions.tsx'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import type { PreviewView } from '#lib/views/world.ts'
import { Inspector } from './inspector.tsx'
import { useMessages } from './messages.ts'
import { sampleRun } from './sample-run.ts'

/** An unpublished World with its inputs, which stay from one edit to the next, and its messages. */
export default function Preview({ view }: { view: PreviewView }) {
  const { fed, needs, framed } = view
  const sample = useMemo(() => sampleRun(needs, framed.valueLimits), [needs, framed])
  return fed ? (
    <FedPreview view={view} fed={fed} sample={sample} />
  ) : (
    <Framed view={view} payload={sample}>
      <p className="text-sm">This network has no pieces yet, so sample numbers feed it.</p>
    </Framed>
  )
}

function FedPreview({ view, fed, sample }: { view: PreviewView; fed: Delivered; sample: RunPayload }) {
  const [by, setBy] = useState<'connector' | 'sample'>('connector')
  const { needs, framed, candidates } = view
  const limits = framed.valueLimits
  const about = useMemo(() => ({ needs, limits }), [needs, limits])
  const feed = useFeed(fed, about)
  const choice = (value: typeof by, words: string) => (
    <Radio name="fed-by" checked={by === value} onChoose={() => setBy(value)}>
      {words}
    </Radio>
  )
  return (
    <Framed view={view} payload={by === 'sample' ? sample : feed.payload}>
      <fieldset className="flex flex-wrap gap-x-6 pb-3">
        <legend className="sr-only">What feeds it</legend>
        {choice('connector', 'A piece')}
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
          Made up here, one stream for each piece the manifest names, up and down within its ranges.
        </p>
      )}
    </Framed>
  )
}

const SHAPE = 'aspect-square lg:aspect-auto lg:h-[min(60dvh,36rem)]'

function Framed({
  view: { framed },
  payload,
  children,
}: {
  view: PreviewView
  payload: RunPayload | undefined
  children: ReactNode
}) {
  const { messages, paused, setPaused, clear, record } = useMessages()
  return (
    <div className="space-y-8">
      <WorldFrame key={framed.entryUrl} world={framed} payload={payload} shape={SHAPE} onMessage={record} />
      <Part id="fed" title="It plays">
        {children}
      </Part>
      <PermissionSection permissions={framed.permissions} />
      <Inspector messages={messages} paused={paused} onPause={setPaused} onClear={clear} />
    </div>
  )
}
