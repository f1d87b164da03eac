import type { Config } from '../config.ts'
import { createGate, type Gate } from '../limits/gate.ts'

/** Keeps unsaved work from filling the queues that everybody shares; half of it is one client's at most. */
export function createPreviewGate(limit: number): Gate {
  return createGate({
    limit,
    limitOfKey: Math.ceil(limit / 2),
    message: 'Too many previews are running; try again shortly',
  })
}

/** Previews that may wait for a thread. More would make strangers' slow bodies a long queue for everybody. */
const MAX_WAITING = 8

/**
 * How many previews may be under way: as many as the threads work on and a few more, at most half of what may wait.
 * Each asks one thing of the pools at a time, so most of the queues stays free for the two APIs.
 */
export function previewLimit({ compile, simulate }: Pick<Config, 'compile' | 'simulate'>): number {
  const limits = [compile, simulate].map(
    ({ threads, maxQueue }) => threads + Math.min(MAX_WAITING, Math.floor(maxQueue / 2)),
  )
  return Math.max(1, Math.min(...limits))
}
