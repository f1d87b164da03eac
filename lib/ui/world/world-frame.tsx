'use client'

import { Maximize2, Minimize2, Play, RotateCcw, Square } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { WorldMessage } from '../../world-sdk/host.ts'
import type { WorldCalls, WorldStatePayload } from '../../world-sdk/protocol.ts'
import { Button } from '../button.tsx'
import { FrameSign } from './frame-sign.tsx'
import type { FramedWorld } from './framed-world.ts'
import { frameAttributes } from './mount-world.ts'
import { useWorldFrame } from './use-world-frame.ts'

/**
 * A World in its sandboxed frame, with a sign of what it does and buttons to stop it, to start it again and to fill
 * the screen. It begins by itself, unless the reader prefers stillness.
 *
 * @param world The same object while it is the same World: another one is loaded anew.
 * @param payload What the World draws; sent when it is ready and whenever it is another object.
 * @param shape Classes that give the frame its size; square unless said.
 * @param begin `asked` waits for the reader.
 * @param calls Answers the World in place of this site's chain API.
 * @param onMessage Hears every message between page and World, as an inspector shows them.
 */
export function WorldFrame({
  world,
  payload,
  shape = 'aspect-square',
  begin = 'itself',
  calls,
  onMessage,
  children,
}: {
  world: FramedWorld
  payload: WorldStatePayload | undefined
  shape?: string
  begin?: 'itself' | 'asked'
  calls?: WorldCalls
  onMessage?: (message: WorldMessage) => void
  /** More controls, beside the frame's own. */
  children?: ReactNode
}) {
  const { phase, mount, frame, error, silence, flooded, start, stop, loaded } = useWorldFrame({
    world,
    payload,
    calls,
    onMessage,
  })
  const beginNow = useEffectEvent(() => {
    if (begin === 'itself' && !matchMedia('(prefers-reduced-motion: reduce)').matches) start()
  })
  useEffect(() => beginNow(), [])
  const stage = useRef<HTMLDivElement>(null)
  const { sandbox, allow } = frameAttributes(world.permissions)
  const alive = phase !== 'waiting' && phase !== 'stopped'
  const empty = phase === 'waiting' || phase === 'stopped' || phase === 'loading'
  return (
    <div data-phase={phase}>
      <div ref={stage} className={`relative overflow-hidden rounded-lg bg-sunk ${shape}`}>
        {empty && world.previewUrl ? (
          // biome-ignore lint/performance/noImgElement: a stranger's picture, from wherever Worlds are served
          <img
            src={world.previewUrl}
            alt=""
            className={`absolute inset-0 size-full object-cover ${phase === 'stopped' ? 'opacity-50 grayscale' : ''}`}
          />
        ) : null}
        {alive ? (
          <iframe
            key={mount}
            ref={frame}
            title={world.name}
            sandbox={sandbox}
            allow={allow}
            referrerPolicy="no-referrer"
            onLoad={loaded}
            className={`absolute inset-0 size-full border-0 ${phase === 'loading' ? 'opacity-0' : ''}`}
          />
        ) : (
          <div className="scripted absolute inset-0 grid place-items-center">
            <Button look="primary" onClick={start}>
              {phase === 'stopped' ? (
                <RotateCcw className="size-4" aria-hidden="true" />
              ) : (
                <Play className="size-4" aria-hidden="true" />
              )}
              {phase === 'stopped' ? 'Start again' : 'Start'}
            </Button>
          </div>
        )}
      </div>
      <div className="scripted flex flex-wrap items-center gap-x-1 gap-y-2 pt-2">
        <FrameSign phase={phase} error={error} silence={silence} flooded={flooded} />
        <div className="ml-auto flex flex-wrap items-center gap-1">
          {children}
          {alive ? (
            <>
              <FrameButton what="Start again" onClick={start}>
                <RotateCcw />
              </FrameButton>
              <FrameButton what="Stop" onClick={stop}>
                <Square />
              </FrameButton>
              <FillScreen stage={stage} />
            </>
          ) : null}
        </div>
      </div>
    </div>
  )
}

function FrameButton({
  what,
  onClick,
  children,
}: {
  what: string
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={what}
      title={what}
      onClick={onClick}
      className="inline-grid size-9 cursor-pointer place-items-center rounded-md text-ink-soft transition-colors hover:bg-sunk hover:text-ink pointer-coarse:size-11 [&>svg]:size-4"
    >
      {children}
    </button>
  )
}

/** Fills the screen with the frame; some phones cannot, and then there is no button. */
function FillScreen({ stage }: { stage: { readonly current: HTMLDivElement | null } }) {
  const [able, setAble] = useState(false)
  const [full, setFull] = useState(false)
  useEffect(() => {
    setAble(document.fullscreenEnabled)
    const changed = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [])
  if (!able) return null
  const toggle = () => {
    const done = full ? document.exitFullscreen() : stage.current?.requestFullscreen()
    done?.catch(() => {
      // The browser did not want to, and shows why.
    })
  }
  return (
    <FrameButton what={full ? 'Leave full screen' : 'Full screen'} onClick={toggle}>
      {full ? <Minimize2 /> : <Maximize2 />}
    </FrameButton>
  )
}
