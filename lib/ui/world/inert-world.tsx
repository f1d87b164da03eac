'use client'

import { useEffect, useEffectEvent, useMemo } from 'react'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import type { FramedWorld } from '#lib/views/framed-world.ts'
import { type CaptureOffer, useOffer } from './use-capture.ts'
import { useWorldFrame } from './use-world-frame.ts'

/**
 * A running World as an inert picture, transparent until it draws.
 *
 * @param onOffer Called with what the World can be captured as whenever that changes; undefined for nothing.
 */
export function InertWorld({
  world: framedWorld,
  payload,
  onOffer,
}: {
  world: FramedWorld
  payload: RunPayload | undefined
  onOffer?: (offer: CaptureOffer | undefined) => void
}) {
  // Sound and downloads need a click first.
  const world: FramedWorld = useMemo(
    () => ({
      ...framedWorld,
      permissions: framedWorld.permissions.filter((name) => !name.startsWith('browser.')),
    }),
    [framedWorld],
  )
  const control = useWorldFrame({ world, payload })
  const { phase, mount, frame, start, loaded } = control
  const begin = useEffectEvent(start)
  useEffect(() => begin(), [])
  useOffer(control, onOffer)
  if (phase === 'waiting' || phase === 'stopped') return null
  const draws = phase === 'ready' || (phase === 'running' && world.autonomous)
  return (
    <div inert aria-hidden="true" className="absolute inset-0">
      <iframe
        key={mount}
        ref={frame}
        title={world.name}
        tabIndex={-1}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        onLoad={loaded}
        className={`pointer-events-none size-full border-0 bg-ground transition-opacity duration-500 ${draws ? '' : 'opacity-0'}`}
      />
    </div>
  )
}
