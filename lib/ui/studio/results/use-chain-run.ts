'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import type { PreviewRequest } from '../../../api/studio/preview-schemas.ts'
import type { Provenance } from '../../../execution/run-on-chain.ts'
import { type Asked, type ChainRunState, executeRun } from '../../run/requests.ts'
import type { Expected } from '../../run/verify/verify-run.ts'
import type { PreviewState } from './use-preview.ts'

/** A run on chain, in the form in which the panel shows every run. */
export interface ChainRun {
  readonly run: PreviewState
  readonly asked: Asked
  /** What it came to, with where it comes from; undefined while it has come to nothing. */
  readonly found: { readonly provenance: Provenance; readonly expected: Expected } | undefined
}

const UNDER_WAY = { answer: undefined, kept: undefined, message: '' } as const

/** Runs a published connector on chain when somebody wants it, one run at a time. */
export function useChainRun(): {
  /** Undefined until somebody has asked. */
  readonly chainRun: ChainRun | undefined
  /** @param question What the preview shows for the same numbers. */
  readonly execute: (asked: Asked, question: PreviewRequest) => void
  readonly cancel: () => void
  readonly again: () => void
} {
  const [chainRun, setChainRun] = useState<ChainRun>()
  const stop = useRef<AbortController>(undefined)
  const latest = useRef<readonly [Asked, PreviewRequest]>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const actions = useMemo(() => {
    const execute = (asked: Asked, question: PreviewRequest) => {
      stop.current?.abort()
      const controller = new AbortController()
      stop.current = controller
      latest.current = [asked, question]
      const sinceMs = performance.now()
      setChainRun({ run: { ...UNDER_WAY, phase: 'running', question, sinceMs }, asked, found: undefined })
      executeRun(asked, undefined, controller.signal).then(
        (state) => setChainRun(chainRunOf(state, asked, question, performance.now() - sinceMs)),
        () => {
          // Whoever gave it up has said so already.
        },
      )
    }
    return {
      execute,
      again: () => {
        if (latest.current) execute(...latest.current)
      },
      cancel: () => {
        stop.current?.abort()
        setChainRun((now) => now && { ...now, run: { ...now.run, phase: 'cancelled' } })
      },
    }
  }, [])
  return { chainRun, ...actions }
}

function chainRunOf(state: ChainRunState, asked: Asked, question: PreviewRequest, tookMs: number): ChainRun {
  const done = (result: NonNullable<PreviewState['answer']>['answer']['result']): PreviewState => {
    const timings = { compile_ms: 0, build_ms: 0, run_ms: tookMs }
    const answered = { question, answer: { result, bodies: [], timings }, tookMs }
    return {
      phase: 'done',
      question,
      sinceMs: 0,
      message: '',
      answer: answered,
      kept: result.outcome === 'particles' ? answered : undefined,
    }
  }
  const failed = (message: string): ChainRun => ({
    run: { ...UNDER_WAY, phase: 'failed', question, sinceMs: 0, message: message.replace(/\.$/, '') },
    asked,
    found: undefined,
  })
  switch (state.state) {
    case 'particles': {
      const { streams, provenance } = state
      const particles = streams.map(({ path, data }) => ({ path, data: [...data] }))
      return { run: done({ outcome: 'particles', particles }), asked, found: { provenance, expected: state } }
    }
    case 'rejected': {
      const { message, provenance } = state
      const rejection = { name: /condition not met/i.test(message) ? 'ConditionNotMet' : 'Rejected', message }
      return {
        run: done({ outcome: 'rejected', rejection, place: null }),
        asked,
        found: { provenance, expected: state },
      }
    }
    case 'unknown':
      return failed('The registry has no such connector yet: right after publishing, try again in a moment')
    case 'block_gone':
    case 'state_gone':
      return failed('The chain moved on under the run')
    case 'unavailable':
      return failed(state.message)
  }
}
