import type { WorldCalls } from '../../worlds/sdk/protocol.ts'

/** A token bucket. */
export interface Pace {
  readonly burst: number
  readonly perSecond: number
}

const READS: Pace = { burst: 60, perSecond: 20 }
/** A run costs the server as much as a hundred reads. */
const RUNS: Pace = { burst: 8, perSecond: 4 }

/**
 * Rate-limits the calls of one World. Calls beyond the limit wait: with the host's limit of
 * 32 in flight, none waits longer than a World's timeout.
 *
 * @param sleep Resolves after this many milliseconds.
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

/** Reserves the next call and returns the milliseconds it must wait. */
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
