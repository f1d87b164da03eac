import { overloaded } from '../../protocol/overload.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

const CLIENT_SHARE = 1 / 4

/** Bounds the requests in work, without a queue: a request beyond the limit would only make all others slower. */
export function createWorkLimiter(max: number): ConcurrencyLimiter {
  const maxPerClient = Math.max(1, Math.ceil(max * CLIENT_SHARE))
  return new ConcurrencyLimiter({ max, maxPerClient, refuse: () => overloaded('work') })
}
