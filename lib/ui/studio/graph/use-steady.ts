'use client'

import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * A handler that stays the same function and does what the latest one does. The canvas tells hundreds of listeners
 * about each new handler.
 */
export function useSteady<Args extends unknown[]>(handler: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(handler)
  useLayoutEffect(() => {
    latest.current = handler
  })
  return useCallback((...args) => latest.current(...args), [])
}
