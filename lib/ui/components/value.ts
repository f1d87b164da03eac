import { useSyncExternalStore } from 'react'
import type { Readable } from '#lib/browser/value.ts'

/** The present state of a store. @param onServer Its state while a server renders; by default the present one. */
export function useValue<T>({ subscribe, getState }: Readable<T>, onServer = getState): T {
  return useSyncExternalStore(subscribe, getState, onServer)
}
