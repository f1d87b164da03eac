'use client'

import { useEffect, useEffectEvent, useMemo } from 'react'
import type { OpenedWorld } from '../../site-data/gallery.ts'
import type { FramedWorld } from '../world/framed-world.ts'
import { runPayload } from '../world/run-payload.ts'
import { useWorldFrame } from '../world/use-world-frame.ts'

/** A World at work as a picture: silent, out of reach, over whatever lies below until it draws. */
export function LivingWorld({ opened: { tile, fed } }: { opened: OpenedWorld }) {
  // Who did not open it has asked for no sound and no file.
  const world: FramedWorld = useMemo(
    () => ({
      ...tile.framed,
      permissions: tile.framed.permissions.filter((name) => !name.startsWith('browser.')),
    }),
    [tile],
  )
  const payload = useMemo(() => {
    if (fed?.run.state !== 'particles') return undefined
    const { connector, dynamicRi, run } = fed
    const count = run.streams[0]?.data.length ?? 0
    return runPayload({ connector, count, streams: run.streams, dynamicRi }, 'world-page')
  }, [fed])
  const { phase, mount, frame, start, loaded } = useWorldFrame({ world, payload })
  const begin = useEffectEvent(start)
  useEffect(() => begin(), [])
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
