'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import type { Provenance } from '#lib/core/entities/execution/run-on-chain.ts'
import { type Expected, verifyPanel } from '#lib/features/proofs/ui/index.ts'
import { type RunLink, runHref } from '#lib/protocol/run-link.ts'
import type { SlotChoice } from '#lib/protocol/world-slots.ts'
import type { PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import { type GoodRun, goodRunOf } from '#lib/studio/runs/run.ts'
import type { PreviewState } from '#lib/studio/runs/runs.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { ServedLater } from '#lib/ui/kit/load-later.tsx'
import { Segmented } from '#lib/ui/kit/segmented.tsx'
import { ProvenanceFacts } from '#lib/ui/run/provenance-facts.tsx'
import { executeRun, type RunRequest } from '#lib/ui/run/requests.ts'
import { CopyRunLink } from '#lib/ui/run/share-panel.tsx'
import type { ChainRunState } from '#lib/views/run.ts'
import { compareRuns } from './compare.ts'
import { describeComparison } from './descriptions.ts'

export type Source = 'here' | 'chain'

/** Executes what is published, and chooses which of the two runs is shown. */
export function ChainBar({
  request,
  question,
  edited,
  world,
  slots,
  chainRun,
  source,
  onSource,
  onExecute,
}: {
  request: RunRequest
  /** Undefined while nothing can be run. */
  question: PreviewRequest | undefined
  /** True where an entry of the document is simulated, which may be another than the published one. */
  edited: boolean
  /** Id of the World that the link of the run names, and what feeds its slots. */
  world: string | undefined
  slots: readonly SlotChoice[] | undefined
  /** The run on chain of this very question. */
  chainRun: ChainRun | undefined
  source: Source
  onSource: (source: Source) => void
  onExecute: (request: RunRequest, question: PreviewRequest) => void
}) {
  const provenance = source === 'chain' ? chainRun?.result?.provenance : undefined
  const link: RunLink = {
    ...request,
    world,
    slots,
    ...(provenance && { block: { number: provenance.blockNumber, hash: provenance.blockHash } }),
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-2">
      <Button
        disabled={question === undefined || chainRun?.run.phase === 'running'}
        title={edited ? `Runs what is published as ${request.connector}` : undefined}
        onClick={() => question && onExecute(request, question)}
      >
        Run on chain
      </Button>
      {edited && provenance === undefined ? null : <CopyRunLink link={link} origin={undefined} />}
      {edited && provenance === undefined ? null : (
        <a className={`${textLink} text-sm`} href={runHref(link)}>
          Its page
        </a>
      )}
      {chainRun ? (
        <Segmented
          label="Which run is shown"
          choices={[
            ['here', 'Here'],
            ['chain', 'On chain'],
          ]}
          value={source}
          onChoose={onSource}
        />
      ) : null}
    </div>
  )
}

/**
 * The provenance of a run on chain, its comparison with the simulation, and a check by the reader's browser.
 */
export function ChainResult({
  chainRun,
  simulated,
  edited,
}: {
  chainRun: ChainRun
  /** The simulation of the same question, when there is one. */
  simulated: GoodRun | undefined
  edited: boolean
}) {
  const { result, request, run } = chainRun
  if (result === undefined) return null
  const executed = run.lastGood && goodRunOf(run.lastGood)
  return (
    <section aria-label="Where it comes from" className="mt-6 space-y-4 border-line border-t pt-4">
      {executed && simulated ? (
        <p className="text-sm">
          Against the run here: {describeComparison(compareRuns(simulated.streams, executed.streams))}
          {edited ? ` What ran on chain is what is published as ${request.connector}.` : ''}
        </p>
      ) : null}
      <ProvenanceFacts provenance={result.provenance} />
      <ServedLater
        part={verifyPanel}
        props={{ request, provenance: result.provenance, expected: result.expected }}
      />
    </section>
  )
}

/** A run on chain, in the form in which the panel shows every run. */
export interface ChainRun {
  readonly run: PreviewState
  readonly request: RunRequest
  /** The result with its provenance; undefined without one. */
  readonly result: { readonly provenance: Provenance; readonly expected: Expected } | undefined
}

const IN_PROGRESS = { answer: undefined, lastGood: undefined, message: '' } as const

/** Runs a published connector on chain, one run at a time. */
export function useChainRun(): {
  /** Undefined until `execute` is called. */
  readonly chainRun: ChainRun | undefined
  /** @param question What the preview shows for the same numbers. */
  readonly execute: (request: RunRequest, question: PreviewRequest) => void
  readonly cancel: () => void
  readonly again: () => void
} {
  const [chainRun, setChainRun] = useState<ChainRun>()
  const stop = useRef<AbortController>(undefined)
  const latest = useRef<readonly [RunRequest, PreviewRequest]>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const actions = useMemo(() => {
    const execute = (request: RunRequest, question: PreviewRequest) => {
      stop.current?.abort()
      const controller = new AbortController()
      stop.current = controller
      latest.current = [request, question]
      const sinceMs = performance.now()
      setChainRun({
        run: { ...IN_PROGRESS, phase: 'running', question, sinceMs },
        request,
        result: undefined,
      })
      executeRun(request, undefined, controller.signal).then(
        (state) => setChainRun(chainRunOf(state, request, question, performance.now() - sinceMs)),
        () => {
          // Aborted by `cancel`, which has set the state.
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

function chainRunOf(
  state: ChainRunState,
  request: RunRequest,
  question: PreviewRequest,
  tookMs: number,
): ChainRun {
  const done = (result: NonNullable<PreviewState['answer']>['answer']['result']): PreviewState => {
    const timings = { compile_ms: 0, build_ms: 0, run_ms: tookMs }
    const answered = { question, answer: { result, bodies: [], timings }, tookMs }
    return {
      phase: 'done',
      question,
      sinceMs: 0,
      message: '',
      answer: answered,
      lastGood: result.outcome === 'particles' ? answered : undefined,
    }
  }
  const failed = (message: string): ChainRun => ({
    run: { ...IN_PROGRESS, phase: 'failed', question, sinceMs: 0, message: message.replace(/\.$/, '') },
    request,
    result: undefined,
  })
  switch (state.state) {
    case 'particles': {
      const { streams, provenance } = state
      const particles = streams.map(({ path, data }) => ({ path, data: [...data] }))
      return {
        run: done({ outcome: 'particles', particles }),
        request,
        result: { provenance, expected: state },
      }
    }
    case 'rejected': {
      const { message, provenance } = state
      const rejection = { name: /condition not met/i.test(message) ? 'ConditionNotMet' : 'Rejected', message }
      return {
        run: done({ outcome: 'rejected', rejection, place: null }),
        request,
        result: { provenance, expected: state },
      }
    }
    case 'unknown':
      return failed('The chain has no such piece yet: right after publishing, try again in a moment')
    case 'block_gone':
    case 'state_gone':
      return failed('The chain moved on under the run')
    case 'unavailable':
      return failed(state.message)
  }
}
