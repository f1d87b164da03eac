'use client'

import { useEffect, useEffectEvent, useState } from 'react'

/**
 * The newest answer to a question, which is asked whenever its key is another one. The answer before stays until then,
 * and where `ask` rejects.
 *
 * @param key Undefined asks nothing.
 * @param delayMs Of typing and sliding.
 */
export function useAnswer<T>(
  key: string | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
  delayMs = 0,
): { readonly key: string; readonly value: T } | undefined {
  const [answer, setAnswer] = useState<{ readonly key: string; readonly value: T }>()
  const send = useEffectEvent(ask)
  useEffect(() => {
    if (key === undefined) return
    const ending = new AbortController()
    const begin = () =>
      send(ending.signal).then(
        (value) => ending.signal.aborted || setAnswer({ key, value }),
        () => undefined,
      )
    const timer = setTimeout(begin, delayMs)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [key, delayMs])
  return answer
}
