'use client'

import type { ReactNode } from 'react'
import type { Address } from '#lib/protocol/entity.ts'
import type { SlotChoice } from '#lib/protocol/world-slots.ts'
import type { GoodRun } from '#lib/studio/runs/run.ts'
import { useFed, useFormat } from '#lib/ui/world/feed/use-slots.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import type { PluginWorld } from '#lib/views/gallery.ts'
import { useWorldClock } from '../transport/use-transport.ts'

export interface LiveWorldProps {
  /** Key of the transport's source that the World follows. */
  readonly of: string
  readonly world: PluginWorld
  readonly run: GoodRun
  /** Where the connector is on chain; undefined for a draft. */
  readonly address?: Address | undefined
  /** Connectors chosen for its slots. */
  readonly slots?: readonly SlotChoice[] | undefined
  /** Plots that draw the run where the World fails. */
  readonly plots: ReactNode
  /** Called with what the World can be captured as whenever that changes; undefined for nothing. */
  readonly onOffer?: ((offer: CaptureOffer | undefined) => void) | undefined
}

/** A World that draws a run in the whole of its stage. */
export function LiveWorld({ of, world, run, address, slots, plots, onOffer }: LiveWorldProps) {
  const { tile } = world
  const { request, streams } = run
  const formatHash = useFormat(streams)
  const fed = { connector: request.connector_name, starts: request.dynamic_ri, streams, formatHash, address }
  const payload = useFed(world, fed, slots)
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
