import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import type {
  PreviewAnswer,
  PreviewRequest,
  TryAnswer,
  TryRequest,
} from '#lib/server/operations/studio/preview-schemas.ts'
import { argsCountOf } from '#lib/studio/document/args-count.ts'
import type { Snapshot, Step } from '#lib/studio/lessons/lesson.ts'
import { type Evidence, isReadyToRun } from '#lib/studio/lessons/verdict.ts'
import { requestTry } from '#lib/studio/runs/client.ts'
import type { Runs } from '#lib/studio/runs/runs.ts'
import { sliceOf } from '#lib/studio/runs/slice.ts'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import { useCurrentSession } from '../common/session.tsx'
import { useLatest } from '../common/use-latest.ts'
import { askPublications } from '../publish/requests.ts'
import { useTransport } from '../transport/use-transport.ts'

const DEBOUNCE_MS = 250
const POLL_MS = 1_500

/** Evidence for the check of a step beyond the document, fetched while the step is shown. */
export function useEvidence(step: Step | undefined, snapshot: Snapshot): Evidence {
  const questionOrProblem = useMemo(
    () => (step !== undefined && isReadyToRun(step, snapshot) ? questionOf(step, snapshot) : undefined),
    [step, snapshot],
  )
  const { runs } = useCurrentSession()
  const question = typeof questionOrProblem === 'string' ? undefined : questionOrProblem
  const { state: finding } = useLatest<Question, Finding>(question, {
    send: (request, signal) => find(request, runs, signal),
    debounceMs: DEBOUNCE_MS,
  })

  const { playing } = useTransport()
  const [heard, setHeard] = useState(false)
  useEffect(() => {
    if (playing) setHeard(true)
  }, [playing])

  const session = useSession()
  const account = session.status === 'signed_in' ? session.session.address : undefined
  const connector = step?.publishes === undefined ? undefined : snapshot.connector(step.publishes)?.name
  const publications = useQuery({
    queryKey: ['lesson-publications', account],
    queryFn: askPublications,
    enabled: account !== undefined && connector !== undefined,
    refetchInterval: POLL_MS,
    staleTime: 0,
  })
  const published =
    publications.data?.some(
      ({ kind, name, stage }) => kind === 'connector' && name === connector && stage === 'mined',
    ) ?? false

  // Only an answer to the present question counts.
  const answer =
    finding.phase === 'done' && JSON.stringify(finding.answer?.question) === JSON.stringify(question)
      ? finding.answer?.answer
      : undefined
  return {
    particles: answer?.of === 'run' ? answer.result : undefined,
    tries: answer?.of === 'try' ? answer.answers : undefined,
    trouble:
      typeof questionOrProblem === 'string'
        ? questionOrProblem
        : finding.phase === 'failed'
          ? `${finding.message}.`
          : undefined,
    signedIn: account !== undefined,
    published,
    heard,
  }
}

/** Run that checks a step. */
export type Question =
  | { readonly ask: 'run'; readonly body: PreviewRequest }
  | { readonly ask: 'try'; readonly bodies: readonly TryRequest[] }

type Finding =
  | { readonly of: 'run'; readonly result: PreviewAnswer['result'] }
  | { readonly of: 'try'; readonly answers: readonly TryAnswer[] }

/** Particles that are compared. */
const COUNT = 8

/** The query of a step, or a sentence why it is not available yet. */
export function questionOf({ expects }: Step, snapshot: Snapshot): Question | string | undefined {
  if (expects === undefined) return undefined
  if (expects.of === 'tries') {
    const code = snapshot.code(expects.role)
    if (code === undefined) return undefined
    const counts = new Set(expects.tries.map(({ args }) => args.length))
    const count = argsCountOf(code.source)
    if (!counts.has(count)) {
      return `It takes ${counted(count, 'number')} so far, and has to take ${[...counts].join(' or ')}.`
    }
    const bodies = expects.tries.map(({ x, args, values }): TryRequest => {
      return { kind: 'transformation', sol_src: code.source, args: [...args], x, steps: values.length }
    })
    return { ask: 'try', bodies }
  }
  const root = snapshot.connector(expects.role)
  const slice = root && sliceOf(snapshot.document, root)
  const names = new Set(
    slice === undefined ? [] : [...slice.connectors, ...slice.bodies].map(({ name }) => name),
  )
  const wrong = snapshot.problems.find(
    ({ severity, at }) =>
      severity === 'error' &&
      snapshot.document.entries.some(({ id, name }) => id === at.entryId && names.has(name)),
  )
  if (slice === undefined || wrong !== undefined) return wrong?.sentence ?? 'A number is not finished yet.'
  return { ask: 'run', body: { ...slice, particles_count: COUNT, dynamic_ri: {} } }
}

/** Runs a question on the server. @throws Refusal, NoAnswer */
async function find(question: Question, runs: Runs, signal: AbortSignal): Promise<Finding> {
  if (question.ask === 'run') {
    const { result } = await runs.confirm(question.body, signal)
    return { of: 'run', result }
  }
  const answers: TryAnswer[] = []
  // Sequential: the server limits concurrent previews.
  for (const body of question.bodies) answers.push(await requestTry(body, signal))
  return { of: 'try', answers }
}
