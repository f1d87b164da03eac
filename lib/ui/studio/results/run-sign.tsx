'use client'

import { useEffect, useState } from 'react'
import { Button } from '../../button.tsx'
import { counted, formatInteger } from '../../format.ts'
import { type GoodRun, stepsOf } from './model/run.ts'
import type { PreviewState } from './use-preview.ts'

/** A run that is over before this is not worth a moving line. */
const PATIENCE_MS = 400

/** How the newest run is doing; a long one shows how long it has been and can be cancelled. */
export function RunSign({
  run,
  good,
  old,
  blocked,
  onCancel,
  onAgain,
}: {
  run: PreviewState
  good: GoodRun | undefined
  /** What is shown belongs to an earlier version. */
  old: boolean
  blocked: string | undefined
  onCancel: () => void
  onAgain: () => void
}) {
  const elapsedMs = useElapsed(run)
  const long = run.phase === 'running' && elapsedMs >= PATIENCE_MS
  return (
    <div className="min-h-11">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1">
        <p role="status" className="text-ink-soft text-sm">
          {words(run, good, old, blocked, long)}
        </p>
        {blocked === undefined && good && !old && run.kept?.unconfirmed ? <Unconfirmed run={run} /> : null}
        {run.differed ? (
          <p role="status" className="pb-2 text-sm">
            This browser made other particles at first; these are the server’s, which count.
          </p>
        ) : null}
        {long ? (
          <>
            <span className="mono text-sm">{(elapsedMs / 1000).toFixed(1)} s</span>
            <Button onClick={() => onCancel()}>Cancel</Button>
          </>
        ) : null}
        {run.phase === 'cancelled' || run.phase === 'failed' ? (
          <Button onClick={() => onAgain()}>Run again</Button>
        ) : null}
      </div>
      <div aria-hidden="true" className="h-0.5">
        {long ? <div className="h-full w-full animate-pulse bg-accent" /> : null}
      </div>
    </div>
  )
}

/** Says that what is shown is not the server's yet, to whoever looks: it is gone before it could be read out. */
function Unconfirmed({ run: { phase } }: { run: PreviewState }) {
  return (
    <span
      className="text-ink-soft text-sm"
      title="Made by this browser at once, and compared with the server’s particles when those arrive"
    >
      {phase === 'cancelled' || phase === 'failed' ? 'preview of this browser, not checked' : 'preview'}
    </span>
  )
}

function words(
  { phase, message, kept }: PreviewState,
  good: GoodRun | undefined,
  old: boolean,
  blocked: string | undefined,
  long: boolean,
): string {
  const earlier = good && old ? ' What you see is an earlier version.' : ''
  if (blocked !== undefined) return blocked + earlier
  const there = good && !old && kept ? found(good, kept.tookMs) : undefined
  if (long) return there === undefined ? 'Running…' : `${there}; the server is still running`
  if (phase === 'cancelled') return `Cancelled.${earlier}`
  if (phase === 'failed') return `${message}.${earlier}`
  if (phase === 'done' && old) return `The newest version has no particles.${earlier}`
  if (good === undefined) return phase === 'done' ? 'No particles.' : 'Running…'
  return found(good, kept?.tookMs)
}

function found({ streams }: GoodRun, tookMs: number | undefined): string {
  const took = tookMs === undefined ? '' : `, ${formatInteger(Math.round(tookMs))} ms`
  return `${counted(streams.length, 'path')}, ${counted(stepsOf(streams), 'particle')} each${took}`
}

/** Milliseconds since the run began, while it runs; looked at ten times a second. */
function useElapsed({ phase, sinceMs }: PreviewState): number {
  const [nowMs, setNowMs] = useState(0)
  useEffect(() => {
    if (phase !== 'running') return
    const look = () => setNowMs(performance.now())
    look()
    const timer = setInterval(look, 100)
    return () => clearInterval(timer)
  }, [phase])
  return Math.max(0, nowMs - sinceMs)
}
