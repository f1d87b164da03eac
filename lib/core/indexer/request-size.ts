import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'
import { chainUnavailable, isRateLimit, NodeRefusal } from '#lib/chain/provider.ts'
import { Failure } from '#lib/protocol/failure.ts'

/** Adaptive number of items (blocks, codes, transactions) of one request. */
export interface RequestSize {
  readonly size: number
  /** Records an answer for this many items. */
  accepted(count: number): void
  /** Records a refusal or timeout for this many items. */
  refused(count: number): void
}

/** After this many answers a refused size is retried: limits depend on the contents. */
const RETRY_AFTER = 10

/**
 * @param first Items of the first request.
 * @param max Items of a request at most.
 */
export function openRequestSize(first: number, max: number): RequestSize {
  let size = first
  let refusedSize = Number.POSITIVE_INFINITY
  let answers = 0
  return {
    get size() {
      return size
    },
    accepted(count) {
      if (count < size) return
      answers += 1
      if (answers >= RETRY_AFTER) {
        answers = 0
        refusedSize = Number.POSITIVE_INFINITY
      }
      const larger = Math.min(max, size * 2)
      if (larger < refusedSize) size = larger
    },
    refused(count) {
      answers = 0
      refusedSize = count
      size = Math.max(1, Math.floor(count / 2))
    },
  }
}

/**
 * Size of `eth_getLogs` ranges in blocks.
 *
 * @param max What the node is known to accept.
 */
export function openLogRange(max = 10_000): RequestSize {
  return openRequestSize(Math.min(2_000, max), max)
}

/**
 * Sends a request for at most `max` items, halved each time the node refuses.
 *
 * @param what Completes "Could not …".
 * @param send Requests this many items; throws the client's errors.
 * @returns the number of items answered; no answer when that for a single item is too large.
 * @throws Failure('chain_unavailable').
 */
export async function requestUpTo<T>(
  size: RequestSize,
  max: number,
  what: string,
  send: (count: number) => Promise<T>,
): Promise<{ readonly count: number; readonly answer: T | undefined }> {
  for (;;) {
    const count = Math.min(size.size, max)
    try {
      const answer = await send(count)
      size.accepted(count)
      return { count, answer }
    } catch (error) {
      const trouble = requestTrouble(error)
      if (trouble !== 'other') size.refused(count)
      if (count > 1 && (trouble === 'too_large' || trouble === 'refused')) continue
      if (trouble === 'too_large') return { count, answer: undefined }
      throw error instanceof Failure ? error : chainUnavailable(what, error)
    }
  }
}

/** A slice of a list with its answer; undefined for a single item whose answer is too large. */
export interface Piece<Item, T> {
  readonly piece: readonly Item[]
  readonly answer: T | undefined
}

/** Requests a list in order, in slices as large as the node accepts. @throws as `requestUpTo`. */
export async function* inPieces<Item, T>(
  size: RequestSize,
  items: readonly Item[],
  what: string,
  send: (piece: readonly Item[]) => Promise<T>,
): AsyncGenerator<Piece<Item, T>> {
  for (let at = 0; at < items.length; ) {
    const from = at
    const { count, answer } = await requestUpTo(size, items.length - at, what, (n) =>
      send(items.slice(from, from + n)),
    )
    at += count
    yield { piece: items.slice(from, at), answer }
  }
}

/** Thrown for an answer that may be cut off: some nodes drop what exceeds their limit without a word. */
export class CutOff extends Error {
  override readonly name = 'CutOff'

  /** @param limit Items of one answer. */
  constructor(limit: number) {
    super(`an answer of ${limit} items, the most that the node returns`)
  }
}

/** `too_large` concerns the answer, `refused` is any other error of the node about the request. */
type RequestTrouble = 'too_large' | 'refused' | 'slow' | 'other'

const TOO_LARGE = /too large|too big|response size|size (limit )?exceeded|exceeds? (the )?(max|limit|size)/i
const REFUSED_STATUSES: readonly number[] = [400, 422]

/**
 * Classifies an error. Nodes refuse large requests with many different errors, some under the code for rate limits, so
 * every error about the request counts unless its message is about the rate.
 */
function requestTrouble(error: unknown): RequestTrouble {
  for (let e = error, depth = 0; e instanceof Error && depth < 8; e = e.cause, depth++) {
    if (e instanceof CutOff) return 'too_large'
    if (e instanceof NodeRefusal) return refusalTrouble(e.error.message)
    if (e instanceof RpcRequestError) return refusalTrouble(e.details)
    if (e instanceof ResponseBodyTooLargeError) return 'too_large'
    if (e instanceof TimeoutError) return 'slow'
    if (e instanceof HttpRequestError && e.status !== undefined) {
      if (e.status === 413) return 'too_large'
      return REFUSED_STATUSES.includes(e.status) ? 'refused' : 'other'
    }
  }
  return 'other'
}

function refusalTrouble(message: string): RequestTrouble {
  if (isRateLimit(message)) return 'other'
  return TOO_LARGE.test(message) ? 'too_large' : 'refused'
}
