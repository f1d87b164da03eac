import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'
import { NodeRefusal } from '../chain/provider.ts'

/** How many blocks to ask events for at once: as many as the node turns out to take. */
export interface LogRange {
  readonly size: number
  /** The node answered for this many blocks. */
  taken(blocks: number): void
  /** The node would not, or not in time, answer for this many blocks. */
  refused(blocks: number): void
}

const FIRST_RANGE = 2_000
const MAX_RANGE = 10_000
/** After this many answers a refused size is tried once more: limits depend on what the blocks hold. */
const FORGET_AFTER = 10

export const openLogRange = (): LogRange => {
  let size = FIRST_RANGE
  let refusedSize = Number.POSITIVE_INFINITY
  let answers = 0
  return {
    get size() {
      return size
    },
    taken(blocks) {
      if (blocks < size) return
      answers += 1
      if (answers >= FORGET_AFTER) {
        answers = 0
        refusedSize = Number.POSITIVE_INFINITY
      }
      const larger = Math.min(MAX_RANGE, size * 2)
      if (larger < refusedSize) size = larger
    },
    refused(blocks) {
      answers = 0
      refusedSize = blocks
      size = Math.max(1, Math.floor(blocks / 2))
    },
  }
}

/** What an error says about a request for events of many blocks. */
export type RangeTrouble = 'refused' | 'slow' | 'other'

const RATE_LIMIT = /rate limit|too many requests|per second|compute unit|throughput|quota|credits/i
const SIZE_STATUSES: readonly number[] = [400, 413, 422]

/**
 * Nodes refuse large ranges in a hundred ways, and some under the code for rate limits: everything a node says about
 * the request counts, unless it plainly speaks of the caller's pace.
 */
export const rangeTrouble = (error: unknown): RangeTrouble => {
  for (let e = error, depth = 0; e instanceof Error && depth < 8; e = e.cause, depth++) {
    if (e instanceof NodeRefusal) return RATE_LIMIT.test(e.error.message) ? 'other' : 'refused'
    if (e instanceof RpcRequestError) return RATE_LIMIT.test(e.details) ? 'other' : 'refused'
    if (e instanceof ResponseBodyTooLargeError) return 'refused'
    if (e instanceof TimeoutError) return 'slow'
    if (e instanceof HttpRequestError && e.status !== undefined) {
      return SIZE_STATUSES.includes(e.status) ? 'refused' : 'other'
    }
  }
  return 'other'
}
