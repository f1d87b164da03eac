'use client'

import { useEffect, useState } from 'react'
import {
  createLatest,
  type Latest,
  type LatestOptions,
  type LatestState,
  retryAfterMs,
} from '#lib/studio/runs/latest.ts'
import { useValue } from '#lib/ui/components/value.ts'

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
