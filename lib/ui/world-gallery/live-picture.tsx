'use client'

import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { OpenedWorld, Tile } from '../../site-data/gallery.ts'
import type { FramedWorld } from '../world/framed-world.ts'
import { runPayload } from '../world/run-payload.ts'
import { useWorldFrame } from '../world/use-world-frame.ts'
import { fetchOpened } from './requests.ts'

/** A World at work in place of its picture, silent and out of reach; nothing to see until it draws. */
export function LivePicture({ tile }: { tile: Tile }) {
  const [opened, setOpened] = useState<OpenedWorld | null>()
  useEffect(() => {
    let left = false
    fetchOpened(tile.id).then(
      (found) => left || setOpened(found),
      () => {
        // The still picture remains.
      },
    )
    return () => {
      left = true
    }
  }, [tile.id])
  return opened ? <Living opened={opened} /> : null
}

function Living({ opened }: { opened: OpenedWorld }) {
  const { tile, fed } = opened
  // Whoever only points at it has asked for no sound and no file.
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
  return (
    <iframe
      key={mount}
      ref={frame}
      title={world.name}
      tabIndex={-1}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      onLoad={loaded}
      className={`pointer-events-none absolute inset-0 size-full border-0 transition-opacity ${phase === 'ready' || (phase === 'running' && world.autonomous) ? '' : 'opacity-0'}`}
    />
  )
}
