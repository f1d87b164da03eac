'use client'

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { WorldMessage } from '#lib/core/worlds/sdk/host.ts'
import type { Capture, CaptureKind, WorldCalls, WorldTransport } from '#lib/core/worlds/sdk/protocol.ts'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import type { FramedWorld, FramePhase } from '#lib/views/framed-world.ts'
import { type MountedWorld, mountWorld } from './mount-world.ts'

/** Timeout of loading the entry page. */
const LOAD_MS = 15_000
/** From its page to its `ready`, and from a state to its `rendered`. */
const ANSWER_MS = 10_000

/** Why a World seems unresponsive. It may still be working: only the status shows it. */
export type Silence = 'does not load' | 'never spoke' | 'stopped answering'

/** The page's sound, for a World: calls back with where it is, at once and at every change, until the result is called. */
export type WorldClock = (follow: (transport: WorldTransport) => void) => () => void

export interface FrameOptions {
  readonly world: FramedWorld
  /** State that the World draws. A new object is sent, an equal one of before is not. */
  readonly payload: RunPayload | undefined
  /** Answers the World in place of this site's chain API. */
  readonly calls?: WorldCalls | undefined
  readonly onMessage?: ((message: WorldMessage) => void) | undefined
  /** Absent where the page has no transport. The same function while it is the same sound. */
  readonly clock?: WorldClock | undefined
}

export interface WorldFrameControl {
  readonly phase: FramePhase
  /** New for each mount: the frame's `key`. */
  readonly mount: number
  readonly frame: RefObject<HTMLIFrameElement | null>
  /** The World's own words; a state it renders afterwards clears them. */
  readonly error: string | undefined
  readonly silence: Silence | undefined
  /** The World was stopped because it flooded the page. */
  readonly flooded: boolean
  /** Captures that the World offers. */
  readonly captures: readonly CaptureKind[]
  /** @throws {WorldCaptureError} */
  readonly capture: Capture
  start(): void
  stop(): void
  /** For the frame's `load` event. */
  loaded(): void
}

/** One World in one frame: mounts it, updates its state, monitors whether it responds, and unmounts it. */
export function useWorldFrame({ world, payload, calls, onMessage, clock }: FrameOptions): WorldFrameControl {
  const frame = useRef<HTMLIFrameElement>(null)
  const mounted = useRef<MountedWorld | undefined>(undefined)
  const [phase, setPhase] = useState<FramePhase>('waiting')
  const [mount, setMount] = useState(0)
  const [error, setError] = useState<string>()
  const [silence, setSilence] = useState<Silence>()
  const [flooded, setFlooded] = useState(false)
  const [captures, setCaptures] = useState<readonly CaptureKind[]>([])
  /** Whether the World sends `rendered`; only then is a missing one a problem. */
  const [reports, setReports] = useState(false)
  /** Sent, and not rendered yet. */
  const [owed, setOwed] = useState(0)
  const alive = phase === 'loading' || phase === 'running' || phase === 'ready'

  const push = useEffectEvent(() => {
    if (payload === undefined) return
    mounted.current?.push(payload)
    setOwed((count) => count + 1)
  })
  const onWorldMessage = useEffectEvent((message: WorldMessage) => {
    if (message.from === 'world') setSilence(undefined)
    onMessage?.(message)
  })
  const stop = () => {
    setPhase('stopped')
    setSilence(undefined)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `mount` stands for a new frame
  useEffect(() => {
    if (!alive || frame.current === null) return
    const one = mountWorld(
      frame.current,
      world,
      {
        onReady: (offered) => {
          setCaptures(offered)
          setPhase('ready')
          push()
        },
        onRendered: () => {
          setReports(true)
          setOwed(0)
          setError(undefined)
        },
        onError: setError,
        onFlood: () => {
          one.dispose()
          // At once: the World can send messages until the frame is removed.
          flushSync(() => {
            setFlooded(true)
            stop()
          })
        },
        onMessage: onWorldMessage,
      },
      calls,
    )
    mounted.current = one
    return () => {
      mounted.current = undefined
      one.dispose()
    }
  }, [alive, mount, world, calls])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new payload is what has to be sent
  useEffect(() => {
    if (phase === 'ready') push()
  }, [payload])

  // After the run, which the steps are of.
  useEffect(() => {
    if (phase === 'ready') return clock?.((transport) => mounted.current?.follow(transport))
  }, [phase, clock])

  const waitsFor = silenceToCome(phase, world.autonomous === true, reports && owed > 0)
  useEffect(() => {
    if (waitsFor === undefined) return
    const timer = setTimeout(() => setSilence(waitsFor), waitsFor === 'does not load' ? LOAD_MS : ANSWER_MS)
    return () => clearTimeout(timer)
  }, [waitsFor])

  return {
    phase,
    mount,
    frame,
    error,
    silence,
    flooded,
    captures: phase === 'ready' ? captures : [],
    capture: (...what) =>
      mounted.current?.capture(...what) ?? Promise.reject(new Error('The World does not run.')),
    start: () => {
      setMount((count) => count + 1)
      setPhase('loading')
      setError(undefined)
      setSilence(undefined)
      setFlooded(false)
      setReports(false)
      setOwed(0)
    },
    stop,
    loaded: () => setPhase((now) => (now === 'loading' ? 'running' : now)),
  }
}

/** The problem to report when no message arrives in time. */
function silenceToCome(phase: FramePhase, autonomous: boolean, owes: boolean): Silence | undefined {
  if (phase === 'loading') return 'does not load'
  if (phase === 'running') return autonomous ? undefined : 'never spoke'
  return phase === 'ready' && owes ? 'stopped answering' : undefined
}
