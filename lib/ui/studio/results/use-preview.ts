'use client'

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type {
  ExplainAnswer,
  ExplainRequest,
  PreviewAnswer,
  PreviewRequest,
} from '../../../api/studio/preview-schemas.ts'
import { PreviewFailed, requestExplanation, requestPreview } from '../preview/client.ts'
import { pagePreview } from '../preview/page-preview.ts'
import { createLatest, type Latest, type LatestState } from './model/latest.ts'

export type PreviewState = LatestState<PreviewRequest, PreviewAnswer>
export type ExplainState = LatestState<ExplainRequest, ExplainAnswer>

/** Which particle is asked about. */
export interface Particle {
  readonly path: string
  readonly step: number
}

const REST_MS = 120
const EXPLAIN_REST_MS = 150

/** Server in trouble or too busy: worth asking again. What it refuses, it refuses again. */
function retryAfterMs(error: unknown): number | undefined {
  return error instanceof PreviewFailed ? error.retryAfterMs : undefined
}

/**
 * Runs what is being edited, and explains single particles of it. A new question ends the run before; the last run
 * that had particles is kept and is marked as old by having another question than the newest. Where this browser can,
 * it makes the particles itself at once; they are marked as unconfirmed until the server has made the same.
 *
 * @param request undefined while there is nothing that could be run.
 */
export function usePreview(request: PreviewRequest | undefined): {
  readonly run: PreviewState
  readonly explanation: ExplainState
  /** Asks why a particle of the newest run with particles has its value; undefined stops asking. */
  readonly explain: (particle: Particle | undefined) => void
  readonly cancel: () => void
  readonly again: () => void
} {
  const [runs] = useState(() =>
    createLatest({
      send: requestPreview,
      restMs: REST_MS,
      keep: ({ result }: PreviewAnswer) => result.outcome === 'particles',
      retryAfterMs,
      sooner: pagePreview(),
    }),
  )
  const [explanations] = useState(() =>
    createLatest({ send: requestExplanation, restMs: EXPLAIN_REST_MS, retryAfterMs }),
  )
  const run = useLatest(runs)
  const explanation = useLatest(explanations)

  useEffect(() => runs.ask(request), [runs, request])

  useEffect(
    () => () => {
      // A page that is left needs no answers. Asking again is what a page that comes back does.
      runs.ask(undefined)
      explanations.ask(undefined)
    },
    [runs, explanations],
  )

  const actions = useMemo(
    () => ({
      cancel: () => runs.cancel(),
      again: () => runs.again(),
      explain: (particle: Particle | undefined) => {
        const asked = runs.getState().kept?.question
        if (particle === undefined || asked === undefined) return explanations.ask(undefined)
        const { particles_count: _count, ...rest } = asked
        explanations.ask({ ...rest, ...particle })
      },
    }),
    [runs, explanations],
  )
  return { run, explanation, ...actions }
}

function useLatest<Q, A>(latest: Latest<Q, A>): LatestState<Q, A> {
  return useSyncExternalStore(latest.subscribe, latest.getState, latest.getState)
}
