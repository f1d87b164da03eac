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

/**
 * How many previews may be under way: as many as the threads work on, and half of what may wait. Each asks one thing
 * of the pools at a time, so the other half of the queues stays free for the two APIs.
 */
export function previewLimit({ compile, simulate }: Pick<Config, 'compile' | 'simulate'>): number {
  return Math.max(
    1,
    Math.min(...[compile, simulate].map(({ threads, maxQueue }) => threads + Math.floor(maxQueue / 2))),
  )
}
