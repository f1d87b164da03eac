'use client'

import { useEffect, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { type GoodRun, type Place, type PreviewResult, stepsOf } from '#lib/studio/runs/run.ts'
import { describePlace, loopAdvice, loopsIn, stopSentence, stopTitle } from '#lib/studio/runs/run-stop.ts'
import type { PreviewState } from '#lib/studio/runs/runs.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { Button } from '#lib/ui/kit/button.tsx'

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
  const text = words(run, good, old, blocked, long)
  const isWell = good !== undefined && text === runSummary(good)
  return (
    <div className="relative flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
      {/* That all is well is seen in the picture. */}
      <p role="status" className={isWell ? 'sr-only' : 'text-ink-soft text-sm'}>
        {text}
      </p>
      {long ? (
        <>
          <span className="mono text-sm">{(elapsedMs / 1000).toFixed(1)} s</span>
          <Button size="small" onClick={() => onCancel()}>
            Cancel
          </Button>
          {loops.length > 0 ? (
            <p role="status" className="w-full pb-2 text-sm">
              {loopAdvice(loops)}
            </p>
          ) : null}
          <div aria-hidden="true" className="absolute inset-x-0 bottom-0 h-0.5 animate-pulse bg-accent" />
        </>
      ) : null}
      {run.phase === 'cancelled' || run.phase === 'failed' ? (
        <Button size="small" onClick={() => onAgain()}>
          Run again
        </Button>
      ) : null}
    </div>
  )
}

function words(
  { phase, message }: PreviewState,
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
  if (phase === 'done' && old) return `The newest version gives no numbers.${earlier}`
  if (good === undefined) return phase === 'done' ? 'No numbers.' : 'Running…'
  return runSummary(good)
}

function runSummary({ streams }: GoodRun): string {
  return `${counted(streams.length, 'voice')}, ${counted(stepsOf(streams), 'step')} each`
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
                ({kindWord(kind)} <code>{name}</code>)
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
        <p>Nothing is broken: a piece plays only where its gates let it, here as on chain.</p>
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
