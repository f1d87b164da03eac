'use client'

import { useMemo } from 'react'
import type { OfferedConnector } from '#lib/protocol/world-compatibility.ts'
import { boundSet, primaryOf, type SlotChoice } from '#lib/protocol/world-slots.ts'
import { SlotFields } from '#lib/ui/world/feed/slot-fields.tsx'
import { useSlots } from '#lib/ui/world/feed/use-slots.ts'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import type { PluginWorld } from '#lib/views/gallery.ts'
import { useSound } from '../common/session.tsx'
import { useWorldClock } from '../transport/use-transport.ts'
import { useCaptureOffer, useDrawnRun } from './use-worlds-of.ts'

/**
 * A World drawing what the results of a connector show, and what feeds its other slots.
 *
 * @param of `tabKey` of the connector's tab.
 * @param connector Undefined while it is not whole.
 */
export function PluginFrame({
  of,
  plugin: { tile, needs },
  connector,
  slots,
  shape,
  onFeed,
}: {
  of: string
  plugin: PluginWorld
  connector: OfferedConnector | undefined
  slots: readonly SlotChoice[]
  /** Classes that size the frame; absent where it fills its column. */
  shape?: string | undefined
  onFeed: (choice: SlotChoice) => void
}) {
  const set = useMemo(
    () => connector && boundSet(needs, primaryOf(connector, needs), slots),
    [connector, needs, slots],
  )
  const offerCapture = useCaptureOffer(of)
  const clock = useWorldClock(of)
  const { transport } = useSound()
  const { payload, runs } = useSlots(useDrawnRun(of), set)
  return (
    <>
      <WorldFrame
        world={tile.framed}
        payload={payload}
        clock={clock}
        record={transport.record}
        {...(shape === undefined ? { fills: true } : { shape })}
        onOffer={(offer) => offerCapture(tile.id, tile.framed.name, offer)}
      />
      {set && connector ? (
        <SlotFields set={set} primary={connector.name} runs={runs} offered={[]} onFeed={onFeed} />
      ) : null}
    </>
  )
}
