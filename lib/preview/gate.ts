import type { Config } from '../config.ts'
import { Failure } from '../domain/failure.ts'

/** Lets a bounded number of requests in at a time. */
export interface Gate {
  /**
   * Runs `work` inside the gate.
   *
   * @throws Failure('overloaded') at once when the gate is full.
   */
  pass<T>(work: () => Promise<T>): Promise<T>
}

export function createGate(limit: number): Gate {
  let inside = 0
  return {
    pass: async (work) => {
      if (inside >= limit) {
        throw new Failure('overloaded', 'Too many previews are running; try again shortly', {
          retryAfterSeconds: 1,
        })
      }
      inside += 1
      try {
        return await work()
      } finally {
        inside -= 1
      }
    },
  }
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
