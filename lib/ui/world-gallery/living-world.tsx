'use client'

import { useEffect, useEffectEvent, useMemo } from 'react'
import { useAnswer } from '#lib/ui/components/use-answer.ts'
import { runPayload } from '#lib/ui/world/run-payload.ts'
import { useWorldFrame } from '#lib/ui/world/use-world-frame.ts'
import type { FramedWorld } from '#lib/views/framed-world.ts'
import type { OpenedWorld } from '#lib/views/gallery.ts'
import { fetchOpened } from './requests.ts'

/** A running World as an inert picture, transparent until it draws. */
export function LivingWorld({ opened: { tile, fed } }: { opened: OpenedWorld }) {
  // Sound and downloads need a click first.
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
    return runPayload({ connector, count, streams: run.streams, dynamicRi })
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

/** A running World in place of its tile's picture. */
export function LivePicture({ id }: { id: string }) {
  const opened = useAnswer(id, () => fetchOpened(id))?.value
  return opened ? <LivingWorld opened={opened} /> : null
}
