'use client'

import { type ReactNode, useMemo } from 'react'
import { boundSet, primaryOf, type SlotChoice, scalarsOf } from '#lib/protocol/world-slots.ts'
import type { GoodRun } from '#lib/studio/runs/run.ts'
import { useSlots } from '#lib/ui/world/feed/use-slots.ts'
import { runPayload } from '#lib/ui/world/run-payload.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import type { PluginWorld } from '#lib/views/gallery.ts'
import { useWorldClock } from '../transport/use-world-clock.ts'

export interface LiveWorldProps {
  /** Key of the transport's source that the World follows. */
  readonly of: string
  readonly world: PluginWorld
  readonly run: GoodRun
  /** Connectors chosen for its slots. */
  readonly slots?: readonly SlotChoice[] | undefined
  /** What draws the run where the World fails. */
  readonly plots: ReactNode
  /** Called with what the World can be captured as whenever that changes; undefined for nothing. */
  readonly onOffer?: ((offer: CaptureOffer | undefined) => void) | undefined
}

/** A World that draws a run in the whole of its stage. */
export function LiveWorld({ of, world: { tile, needs }, run, slots = NONE, plots, onOffer }: LiveWorldProps) {
  const { streams, asked } = run
  const name = asked.connector_name
  const drawn = useMemo(
    () =>
      runPayload(
        { connector: name, count: streams[0]?.data.length ?? 0, streams, dynamicRi: [] },
        'studio-plugin',
      ),
    [name, streams],
  )
  const scalars = scalarsOf(streams).join(' ')
  const set = useMemo(
    () => boundSet(needs, primaryOf({ name, scalars: scalars.split(' ') }, needs), slots),
    [needs, name, scalars, slots],
  )
  const { payload } = useSlots(drawn, set)
  const clock = useWorldClock(of)
  return (
    <WorldFrame
      world={tile.framed}
      payload={payload}
      clock={clock}
      shape="min-h-0 flex-1"
      onOffer={onOffer}
      instead={
        <>
          {plots}
          <p role="status" className="px-3 pb-2 text-ink-soft text-xs">
            The World {tile.framed.name} does not work now. The values are drawn without it.
          </p>
        </>
      }
    />
  )
}

const NONE: readonly SlotChoice[] = []
