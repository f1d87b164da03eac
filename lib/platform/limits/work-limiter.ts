import { overloaded } from '#lib/protocol/overload.ts'
import type { Config } from '../config.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

const CLIENT_SHARE = 1 / 4

/** Bounds the requests in work, without a queue: a request beyond the limit would only make all others slower. */
export function createWorkLimiter(max: number): ConcurrencyLimiter {
  const maxPerClient = Math.max(1, Math.ceil(max * CLIENT_SHARE))
  return new ConcurrencyLimiter({ max, maxPerClient, refuse: () => overloaded('work') })
}

/** Prevents previews from filling the queues of the thread pools; one client may run half of them. */
export function createPreviewLimiter(max: number): ConcurrencyLimiter {
  return new ConcurrencyLimiter({
    max,
    maxPerClient: Math.ceil(max / 2),
    refuse: () => overloaded('previews'),
  })
}

/** Previews that may wait for a thread: more would be a long queue of slow bodies in front of the two APIs. */
const MAX_WAITING = 8

/**
 * Previews in work at a time: as many as there are threads, and a few more, at most half of the queue. Each runs one task
 * at a time, so that most of both queues stays free for the two APIs.
 */
export function maxPreviews({ compile, simulate }: Pick<Config, 'compile' | 'simulate'>): number {
  const limits = [compile, simulate].map(
    ({ threads, maxQueue }) => threads + Math.min(MAX_WAITING, Math.floor(maxQueue / 2)),
  )
  return Math.max(1, Math.min(...limits))
}
