import type { Run } from './run.ts'

/** Runs that one process keeps; each holds at most a page's worth of particles. */
const CAPACITY = 128

export interface RunCache {
  /**
   * The kept run of a key, also while it is still being made; else makes it.
   *
   * @param lasts Whether the run gives the same answer for ever; without it, it does.
   */
  get(key: string, make: () => Promise<Run>, lasts?: () => Promise<boolean>): Promise<Run>
}

/**
 * Keeps runs by what they depend on: a published connector, by content, gives the same answer for ever unless its code
 * reads the block. What could not be found out is not kept. The least recently used goes first.
 */
export function createRunCache(): RunCache {
  const kept = new Map<string, Promise<Run>>()
  return {
    get(key, make, lasts) {
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
          else lasts?.().then((lasting) => lasting || forget(), forget)
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
