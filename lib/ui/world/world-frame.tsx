'use client'

import { Play, RotateCcw, Square } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { prefersReducedMotion } from '#lib/browser/reduced-motion.ts'
import type { WorldMessage } from '#lib/core/worlds/sdk/host.ts'
import type { WorldCalls } from '#lib/core/worlds/sdk/protocol.ts'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import { FillScreen } from '#lib/ui/components/fill-screen.tsx'
import { Boundary } from '#lib/ui/kit/boundary.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import type { FramedWorld, FramePhase } from '#lib/views/framed-world.ts'
import { CaptureButtons } from './capture-buttons.tsx'
import { frameAttributes } from './mount-world.ts'
import { type CaptureOffer, useOffer } from './use-capture.ts'
import { type Silence, useWorldFrame, type WorldClock } from './use-world-frame.ts'

interface WorldFrameProps {
  world: FramedWorld
  payload: RunPayload | undefined
  shape?: string
  fills?: boolean
  begin?: 'itself' | 'asked'
  calls?: WorldCalls
  onMessage?: (message: WorldMessage) => void
  clock?: WorldClock
  record?: CaptureOffer['record']
  instead?: ReactNode
  onOffer?: ((offer: CaptureOffer | undefined) => void) | undefined
  /** More controls, beside the frame's own. */
  children?: ReactNode
}

/**
 * A World in its sandboxed frame, with its status and buttons to stop it, to restart it and to enter full screen.
 * Starts automatically, unless the reader prefers reduced motion.
 *
 * @param world The same object while it is the same World: another object reloads the frame.
 * @param payload What the World draws; sent when it is ready and whenever it is another object.
 * @param shape Classes that size the frame; square by default.
 * @param fills Whether it takes all the room of a flex column, with its controls below.
 * @param begin `asked` waits for the start button.
 * @param calls Answers the World in place of this site's chain API.
 * @param onMessage Called with every message between page and World.
 * @param clock The page's sound, where that has a transport.
 * @param record Opens the page's sound for clips; without it they have none.
 * @param instead Shown in place of a World that fails. With it, the frame has no status and no buttons.
 * @param onOffer Called with what the World can be captured as whenever that changes; undefined for nothing.
 */
export function WorldFrame(props: WorldFrameProps) {
  return (
    <Boundary what={`The frame of ${props.world.name}`}>
      <Framed {...props} />
    </Boundary>
  )
}

function Framed({
  world,
  payload,
  shape = 'aspect-square',
  fills = false,
  begin = 'itself',
  calls,
  onMessage,
  clock,
  record,
  instead,
  onOffer,
  children,
}: WorldFrameProps) {
  const control = { ...useWorldFrame({ world, payload, calls, onMessage, clock }), record }
  const { phase, mount, frame, error, silence, flooded, start, stop, loaded } = control
  const beginNow = useEffectEvent(() => {
    if (begin === 'itself' && !prefersReducedMotion()) start()
  })
  useEffect(() => beginNow(), [])
  useOffer(control, onOffer)
  const stage = useRef<HTMLDivElement>(null)
  const { sandbox, allow } = frameAttributes(world.permissions)
  const alive = phase !== 'waiting' && phase !== 'stopped'
  const bare = instead !== undefined
  if (bare && (flooded || (silence !== undefined && silence !== 'stopped answering'))) return instead
  const empty = phase === 'waiting' || phase === 'stopped' || phase === 'loading'
  return (
    <div
      data-phase={phase}
      className={bare ? 'contents' : fills ? 'flex min-h-0 flex-1 flex-col' : undefined}
    >
      <div
        ref={stage}
        className={`relative overflow-hidden rounded-lg bg-sunk ${fills ? 'min-h-0 flex-1' : shape}`}
      >
        {empty && world.previewUrl ? (
          // biome-ignore lint/performance/noImgElement: a stranger's picture, from wherever Worlds are served
          <img
            src={world.previewUrl}
            alt=""
            className={`absolute inset-0 size-full ${fills ? 'object-contain' : 'object-cover'} ${phase === 'stopped' ? 'opacity-50 grayscale' : ''}`}
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
            <Button look="filled" onClick={start}>
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
      {bare ? null : (
        <div className={`scripted flex flex-wrap items-center gap-x-1 gap-y-2 ${fills ? 'pt-1' : 'pt-2'}`}>
          <FrameStatus phase={phase} error={error} silence={silence} flooded={flooded} quiet={fills} />
          <div className="ml-auto flex flex-wrap items-center gap-1">
            {children}
            <CaptureButtons key={mount} name={world.name} control={control} />
            {alive ? (
              <>
                <IconButton label="Start again" onClick={start}>
                  <RotateCcw />
                </IconButton>
                <IconButton label="Stop" onClick={stop}>
                  <Square />
                </IconButton>
                <FillScreen stage={stage} />
              </>
            ) : null}
          </div>
        </div>
      )}
    </div>
  )
}

const SILENCE: Readonly<Record<Silence, string>> = {
  'does not load': 'It does not load. Its bundle may be gone or broken: start it again, or look again later.',
  'never spoke': 'The World has not sent `ready`, so it may show nothing of the piece.',
  'stopped answering': 'It has stopped answering. It may be busy; you can stop it or start it again.',
}

const PHASES: Readonly<Record<FramePhase, string>> = {
  waiting: 'Not started',
  loading: 'Loading…',
  running: 'Loaded',
  ready: 'Ready',
  stopped: 'Stopped',
}

/** The state of a frame, announced when it changes. */
function FrameStatus({
  phase,
  error,
  silence,
  flooded,
  quiet,
}: {
  phase: FramePhase
  error: string | undefined
  silence: Silence | undefined
  flooded: boolean
  /** Whether only what is wrong is shown. */
  quiet: boolean
}) {
  return (
    <div role="status" className="min-w-0 text-sm [overflow-wrap:anywhere]">
      {flooded ? (
        <p className="text-madder">Stopped: it sent more than a thousand messages within a second.</p>
      ) : phase !== 'stopped' && error ? (
        <p className="text-madder">
          It reports a problem: <q>{error}</q>
        </p>
      ) : silence ? (
        <p>{SILENCE[silence]}</p>
      ) : (
        <p className={quiet ? 'sr-only' : 'text-ink-soft'}>{PHASES[phase]}</p>
      )}
    </div>
  )
}
