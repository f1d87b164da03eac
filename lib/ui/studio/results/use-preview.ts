'use client'

import { useCallback, useEffect, useEffectEvent } from 'react'
import type {
  ExplainAnswer,
  ExplainRequest,
  PreviewAnswer,
  PreviewRequest,
} from '#lib/server/operations/studio/preview-schemas.ts'
import { requestExplanation, requestPreview } from '#lib/studio/runs/client.ts'
import type { LatestState } from '#lib/studio/runs/latest.ts'
import { type GoodRun, goodRunOf } from '#lib/studio/runs/run.ts'
import { pagePreview } from '../preview/page-preview.ts'
import { useLatest } from '../preview/use-latest.ts'

export type PreviewState = LatestState<PreviewRequest, PreviewAnswer>
export type ExplainState = LatestState<ExplainRequest, ExplainAnswer>

/** One value of a stream. */
export interface Particle {
  readonly path: string
  readonly step: number
}

const DEBOUNCE_MS = 120
const EXPLAIN_DEBOUNCE_MS = 150

/**
 * Runs what is edited and explains single particles of it. A new question aborts the run before; the last run with
 * particles stays in `lastGood`. The browser's engine answers where it can; the server compiles what is new, and runs
 * what the browser cannot.
 *
 * @param request Undefined while nothing can be run.
 * @param onGood Called with each run that has particles as it arrives, before anything is rendered: sound cannot wait.
 */
export function usePreview(
  request: PreviewRequest | undefined,
  onGood: (run: GoodRun) => void,
): {
  readonly run: PreviewState
  readonly explanation: ExplainState
  /** Explains a particle of the newest run with particles; undefined cancels. */
  readonly explain: (particle: Particle | undefined) => void
  readonly cancel: () => void
  readonly again: () => void
} {
  const { latest: runs, state: run } = useLatest<PreviewRequest, PreviewAnswer>(request, {
    send: requestPreview,
    debounceMs: DEBOUNCE_MS,
    isGood: ({ result }) => result.outcome === 'particles',
    local: pagePreview().send,
    onAnswer: pagePreview().onAnswer,
  })
  const arrived = useEffectEvent(onGood)
  useEffect(() => {
    let before = runs.getState().lastGood
    return runs.subscribe(() => {
      const { lastGood } = runs.getState()
      if (lastGood === before) return
      before = lastGood
      const good = lastGood && goodRunOf(lastGood)
      if (good) arrived(good)
    })
  }, [runs])
  const { latest: explanations, state: explanation } = useLatest<ExplainRequest, ExplainAnswer>(undefined, {
    send: requestExplanation,
    debounceMs: EXPLAIN_DEBOUNCE_MS,
  })
  const explain = useCallback(
    (particle: Particle | undefined) => {
      const shown = runs.getState().lastGood?.question
      if (particle === undefined || shown === undefined) return explanations.ask(undefined)
      const { particles_count: _count, ...rest } = shown
      explanations.ask({ ...rest, ...particle })
    },
    [runs, explanations],
  )
  return { run, explanation, explain, cancel: runs.cancel, again: runs.again }
}
