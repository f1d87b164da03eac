import type { Run } from './run.ts'

/** Runs that one process keeps; each holds at most a page's worth of particles. */
const CAPACITY = 128

export interface RunCache {
  /** The kept run of a key, also while it is still being made; else makes it. */
  get(key: string, make: () => Promise<Run>): Promise<Run>
}

/**
 * Keeps runs by what they depend on: a published connector, by content, gives the same answer for ever. What
 * could not be found out is not kept. The least recently used goes first.
 */
export function createRunCache(): RunCache {
  const kept = new Map<string, Promise<Run>>()
  return {
    get(key, make) {
      const known = kept.get(key)
      const run = known ?? make()
      kept.delete(key)
      kept.set(key, run)
      if (known === undefined) {
        const forget = () => {
          if (kept.get(key) === run) kept.delete(key)
        }
        run.then(({ state }) => {
          if (state !== 'particles' && state !== 'rejected') forget()
        }, forget)
        for (const oldest of kept.keys()) {
          if (kept.size <= CAPACITY) break
          kept.delete(oldest)
        }
      }
      return run
    },
  }
}
