'use client'

import { useEffect, useState } from 'react'
import { NoAnswer, Refusal } from '#lib/browser/requests.ts'
import { createLatest, type Latest, type LatestOptions, type LatestState } from '#lib/studio/runs/latest.ts'
import { useValue } from '#lib/ui/components/value.ts'

const UNREACHABLE_RETRY_MS = 5_000

/**
 * Sends the newest question as it changes; cancelled when the component unmounts.
 *
 * @param question Undefined for none.
 * @param options Read once.
 */
export function useLatest<Q, A>(
  question: Q | undefined,
  options: Omit<LatestOptions<Q, A>, 'retryAfterMs'>,
): { readonly latest: Latest<Q, A>; readonly state: LatestState<Q, A> } {
  const [latest] = useState(() => createLatest<Q, A>({ ...options, retryAfterMs }))
  const state = useValue(latest)
  useEffect(() => latest.ask(question), [latest, question])
  useEffect(() => () => latest.ask(undefined), [latest])
  return { latest, state }
}

function retryAfterMs(error: unknown): number | undefined {
  if (error instanceof NoAnswer) return UNREACHABLE_RETRY_MS
  return error instanceof Refusal ? error.retryAfterMs : undefined
}
