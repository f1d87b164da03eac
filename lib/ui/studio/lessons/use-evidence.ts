import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useSession } from '../../wallet/session/use-session.ts'
import { PreviewFailed } from '../preview/client.ts'
import { askPublications } from '../publish/requests.ts'
import { createLatest } from '../results/model/latest.ts'
import type { Look, Step } from './lesson.ts'
import { find, questionOf } from './questions.ts'
import { type Evidence, isReadyToRun } from './verdict.ts'

const REST_MS = 250
const LOOK_EVERY_MS = 1_500

/** What a step needs to know beyond the document, looked up while it is on the screen. */
export function useEvidence(step: Step | undefined, look: Look, reloaded: boolean): Evidence {
  const [findings] = useState(() =>
    createLatest({
      send: find,
      restMs: REST_MS,
      retryAfterMs: (error) => (error instanceof PreviewFailed ? error.retryAfterMs : undefined),
    }),
  )
  const found = useSyncExternalStore(findings.subscribe, findings.getState, findings.getState)
  const asked = useMemo(
    () => (step !== undefined && isReadyToRun(step, look) ? questionOf(step, look) : undefined),
    [step, look],
  )
  const question = typeof asked === 'string' ? undefined : asked
  useEffect(() => findings.ask(question), [findings, question])
  useEffect(() => () => findings.ask(undefined), [findings])

  const session = useSession()
  const account = session.status === 'signed_in' ? session.session.address : undefined
  const connector = step?.publishes === undefined ? undefined : look.connector(step.publishes)?.name
  const publications = useQuery({
    queryKey: ['lesson-publications', account],
    queryFn: askPublications,
    enabled: account !== undefined && connector !== undefined,
    refetchInterval: LOOK_EVERY_MS,
    staleTime: 0,
  })
  const published =
    publications.data?.some(
      ({ kind, name, stage }) => kind === 'connector' && name === connector && stage === 'mined',
    ) ?? false

  // An answer counts only for what is asked now: the same words asked again are the same question.
  const answer =
    found.phase === 'done' && JSON.stringify(found.answer?.question) === JSON.stringify(question)
      ? found.answer?.answer
      : undefined
  return {
    particles: answer?.of === 'run' ? answer.result : undefined,
    tries: answer?.of === 'try' ? answer.answers : undefined,
    trouble: typeof asked === 'string' ? asked : found.phase === 'failed' ? `${found.message}.` : undefined,
    signedIn: account !== undefined,
    published,
    reloaded,
  }
}
