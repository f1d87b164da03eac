'use client'

import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Returns the latest response of a request that is sent whenever its key changes. The previous response stays until then,
 * and where the request fails.
 *
 * @param key Undefined sends no request.
 * @param delayMs Debounce of typing and sliding.
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
