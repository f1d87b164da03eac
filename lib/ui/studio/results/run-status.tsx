'use client'

import { useEffect, useState } from 'react'
import { counted, formatInteger } from '#lib/browser/format.ts'
import { type GoodRun, type Place, type PreviewResult, stepsOf } from '#lib/studio/runs/run.ts'
import { describePlace, loopAdvice, loopsIn, stopSentence, stopTitle } from '#lib/studio/runs/run-stop.ts'
import type { PreviewState } from '#lib/studio/runs/runs.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { Notice } from '#lib/ui/components/notice.tsx'

/** Runs with a loop that take longer are likely to have one that does not end. */
const SUSPICIOUS_AFTER_MS = 2_000

/** Shorter runs show no progress. */
const PROGRESS_AFTER_MS = 400

/** The state of the newest run; a long one shows its duration and can be cancelled. */
export function RunStatus({
  run,
  good,
  old,
  blocked,
  onCancel,
  onAgain,
}: {
  run: PreviewState
  good: GoodRun | undefined
  /** The plots belong to an earlier version. */
  old: boolean
  blocked: string | undefined
  onCancel: () => void
  onAgain: () => void
}) {
  const elapsedMs = useElapsed(run)
  const long = run.phase === 'running' && elapsedMs >= PROGRESS_AFTER_MS
  const loops = elapsedMs >= SUSPICIOUS_AFTER_MS ? loopsIn(run.question) : []
  return (
    <div className="min-h-11">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1">
        <p role="status" className="text-ink-soft text-sm">
          {words(run, good, old, blocked, long)}
        </p>
        {long ? (
          <>
            <span className="mono text-sm">{(elapsedMs / 1000).toFixed(1)} s</span>
            <Button onClick={() => onCancel()}>Cancel</Button>
            {loops.length > 0 ? (
              <p role="status" className="w-full pb-2 text-sm">
                {loopAdvice(loops)}
              </p>
            ) : null}
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

function words(
  { phase, message, lastGood }: PreviewState,
  good: GoodRun | undefined,
  old: boolean,
  blocked: string | undefined,
  long: boolean,
): string {
  const earlier = good && old ? ' What you see is an earlier version.' : ''
  if (blocked !== undefined) return blocked + earlier
  if (long) return 'Running…'
  if (phase === 'cancelled') return `Cancelled.${earlier}`
  if (phase === 'failed') return `${message}.${earlier}`
  if (phase === 'done' && old) return `The newest version has no particles.${earlier}`
  if (good === undefined) return phase === 'done' ? 'No particles.' : 'Running…'
  return found(good, lastGood?.tookMs)
}

function found({ streams }: GoodRun, tookMs: number | undefined): string {
  const took = tookMs === undefined ? '' : `, ${formatInteger(Math.round(tookMs))} ms`
  return `${counted(streams.length, 'path')}, ${counted(stepsOf(streams), 'particle')} each${took}`
}

/** Milliseconds since the run began, updated ten times a second. */
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

/** Why the newest version has no particles, and where it stops. */
export function RunFailure({
  result,
  loops,
  onShow,
}: {
  result: Exclude<PreviewResult, { outcome: 'particles' }>
  /** Bodies with a loop. */
  loops: readonly string[]
  onShow: ((place: Place) => void) | undefined
}) {
  if (result.outcome === 'invalid') {
    return (
      <Notice title="It cannot run yet">
        <ul className="list-disc space-y-1 pl-5">
          {result.problems.map(({ kind, name, message }) => (
            <li key={`${kind} ${name} ${message}`}>
              {message.endsWith('.') ? message : `${message}.`}{' '}
              <span className="text-ink-soft text-sm">
                ({kind} <code>{name}</code>)
              </span>
            </li>
          ))}
        </ul>
      </Notice>
    )
  }
  const { rejection, place } = result
  const show = place && place.kind !== 'start' ? place : undefined
  const isEndless = rejection.name === 'Limit' && loops.length > 0
  return (
    <Notice title={stopTitle(result, loops)}>
      <p>{isEndless ? loopAdvice(loops) : stopSentence(result)}</p>
      {rejection.name === 'ConditionNotMet' ? (
        <p>Nothing is broken: a connector generates only where its conditions hold, here as on chain.</p>
      ) : null}
      {isEndless ? null : (
        <p className="text-ink-soft text-sm">
          {place ? describePlace(place) : ''} {rejection.message}.
        </p>
      )}
      {show && onShow ? <Button onClick={() => onShow(show)}>Show where</Button> : null}
    </Notice>
  )
}
