'use client'

import { type ReactNode, useMemo, useState } from 'react'
import type { WorldNeeds } from '#lib/protocol/world-compatibility.ts'
import { usualCount, type WorldLimits } from '#lib/protocol/world-manifest.ts'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { Radio } from '#lib/ui/kit/choice.tsx'
import { FeedControls } from '#lib/ui/world/feed/feed-controls.tsx'
import { type Delivered, useFeed } from '#lib/ui/world/feed/use-feed.ts'
import { PermissionSection } from '#lib/ui/world/permissions.tsx'
import { formatOf, runPayload } from '#lib/ui/world/run-payload.ts'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import { WorldLayout } from '#lib/ui/world/world-layout.tsx'
import type { PreviewView } from '#lib/views/world.ts'
import { Inspector } from './inspector.tsx'
import { useMessages } from './messages.ts'

const SHAPE = 'aspect-square lg:aspect-auto lg:h-[min(70dvh,40rem)]'

/** An unpublished World with its inputs and the messages between it and the page. */
export function PreviewBoard({ view }: { view: PreviewView }) {
  const { fed, needs, framed } = view
  const sample = useMemo(() => sampleRun(needs, framed.valueLimits), [needs, framed])
  return fed ? (
    <FedBoard view={view} fed={fed} sample={sample} />
  ) : (
    <Board view={view} payload={sample}>
      <p className="text-sm">This network has no pieces yet, so sample numbers feed it.</p>
    </Board>
  )
}

function FedBoard({ view, fed, sample }: { view: PreviewView; fed: Delivered; sample: RunPayload }) {
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
    <Board view={view} payload={by === 'sample' ? sample : feed.payload}>
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
    </Board>
  )
}

function Board({
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
    <WorldLayout
      frame={
        <WorldFrame key={framed.entryUrl} world={framed} payload={payload} shape={SHAPE} onMessage={record} />
      }
      fedBy={children}
      facts={<PermissionSection permissions={framed.permissions} />}
      below={<Inspector messages={messages} paused={paused} onPause={setPaused} onClear={clear} />}
    />
  )
}

const TOP = 15
const PERIOD = 32

/**
 * Sample numbers for a World without any connector: one stream for each connector in its manifest, oscillating within
 * its declared range.
 */
export function sampleRun(needs: WorldNeeds, limits: WorldLimits | undefined): RunPayload {
  const count = Math.min(usualCount(limits), 4096)
  const [set] = needs.acceptedConnectorSets
  const names = set ? [...set.connectors, ...set.optionalConnectors] : ['sample']
  const streams = names.slice(0, 16).map((name, row) => {
    const path = `/${name}:0`
    const range = limits?.connectorValues?.[path]
    const min = Math.max(0, Math.ceil(range?.min ?? 0))
    const max = Math.max(min, Math.min(0xffff_ffff, Math.floor(range?.max ?? TOP)))
    return { path, data: Array.from({ length: count }, (_, step) => wave(step + row, min, max)) }
  })
  return runPayload({
    connector: names[0] ?? 'sample',
    count,
    streams,
    dynamicRi: [],
    formatHash: formatOf(streams),
    address: undefined,
  })
}

/** A triangle over so many steps, from one end of the range to the other and back. */
function wave(step: number, min: number, max: number): number {
  const phase = (step % PERIOD) / (PERIOD / 2)
  return min + Math.round((max - min) * (phase <= 1 ? phase : 2 - phase))
}
