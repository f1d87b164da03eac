import { useRef, useSyncExternalStore } from 'react'
import type { Readable } from '#lib/browser/value.ts'

/** The present state of a store. @param onServer Its state while a server renders; by default the present one. */
export function useValue<T>({ subscribe, getState }: Readable<T>, onServer = getState): T {
  return useSyncExternalStore(subscribe, getState, onServer)
}

/**
 * A part of the state of a store; another one renders the component again, and nothing else does.
 *
 * @param select A pure function.
 * @param isEqual Whether a new part is equal to the one before, which then stays.
 */
export function useSelected<S, T>(
  { subscribe, getState }: Readable<S>,
  select: (state: S) => T,
  isEqual: (before: T, next: T) => boolean = Object.is,
): T {
  const last = useRef<{ readonly state: S; readonly select: typeof select; readonly value: T }>(undefined)
  const read = () => {
    const state = getState()
    const before = last.current
    if (before?.state === state && before.select === select) return before.value
    const next = select(state)
    const value = before !== undefined && isEqual(before.value, next) ? before.value : next
    last.current = { state, select, value }
    return value
  }
  return useSyncExternalStore(subscribe, read, read)
}
