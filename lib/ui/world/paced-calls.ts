import type { WorldCalls } from '../../world-sdk/protocol.ts'

/** So many at once, and so many a second in the long run. */
export interface Pace {
  readonly burst: number
  readonly perSecond: number
}

const READS: Pace = { burst: 60, perSecond: 20 }
/** A run costs the server as much as a hundred reads. */
const RUNS: Pace = { burst: 8, perSecond: 4 }

/**
 * The same calls, no faster than a page may ask on behalf of one World. Calls beyond it wait: with the host's limit of
 * 32 under way, none waits as long as Worlds wait for an answer.
 *
 * @param sleep Resolves after so many milliseconds.
 * @param now Milliseconds of a clock that only goes forward.
 */
export function pacedCalls(
  client: WorldCalls,
  sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => number = () => performance.now(),
): WorldCalls {
  const reads = createPacer(READS, now)
  const runs = createPacer(RUNS, now)
  const paced =
    <A extends readonly unknown[], R>(delay: () => number, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const ms = delay()
      if (ms > 0) await sleep(ms)
      return call(...args)
    }
  return {
    connectorGet: paced(reads, (name: string) => client.connectorGet(name)),
    connectorExists: paced(reads, (name: string) => client.connectorExists(name)),
    transformationGet: paced(reads, (name: string) => client.transformationGet(name)),
    transformationExists: paced(reads, (name: string) => client.transformationExists(name)),
    conditionGet: paced(reads, (name: string) => client.conditionGet(name)),
    conditionExists: paced(reads, (name: string) => client.conditionExists(name)),
    listFormats: paced(reads, (...page) => client.listFormats(...page)),
    formatInfo: paced(reads, (...asked: Parameters<WorldCalls['formatInfo']>) => client.formatInfo(...asked)),
    feed: paced(reads, (...page) => client.feed(...page)),
    execute: paced(runs, (...run: Parameters<WorldCalls['execute']>) => client.execute(...run)),
    simulate: paced(runs, (...run: Parameters<WorldCalls['simulate']>) => client.simulate(...run)),
  }
}

/** Milliseconds that the next call must wait; asking books it. */
export function createPacer({ burst, perSecond }: Pace, now: () => number): () => number {
  const each = 1000 / perSecond
  /** When as many as `burst` may go at once again. */
  let full = Number.NEGATIVE_INFINITY
  return () => {
    const time = now()
    full = Math.max(full, time) + each
    return Math.max(0, full - time - burst * each)
  }
}
