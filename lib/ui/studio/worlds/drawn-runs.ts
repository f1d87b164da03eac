'use client'

import { useEffect, useSyncExternalStore } from 'react'
import type { WorldStatePayload } from '../../../world-sdk/protocol.ts'

/*
 * The run that the results of a connector show, for Worlds that draw it elsewhere on the page: typing in the graph
 * must not draw the results again, nor the other way round.
 */

const runs = new Map<string, WorldStatePayload>()
const listeners = new Set<() => void>()

/** Tells Worlds of a connector what to draw, until this component goes. @param of `tabKey` of its tab. */
export function useAnnounceRun(of: string, payload: WorldStatePayload | undefined): void {
  useEffect(() => {
    if (payload === undefined) return
    runs.set(of, payload)
    for (const listener of [...listeners]) listener()
  }, [of, payload])
  useEffect(() => () => void runs.delete(of), [of])
}

/** What Worlds of a connector draw; undefined until it has generated something. */
export function useDrawnRun(of: string): WorldStatePayload | undefined {
  return useSyncExternalStore(
    subscribe,
    () => runs.get(of),
    () => undefined,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
