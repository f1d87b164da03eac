import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'
import { chainUnavailable, NodeRefusal } from '../chain/provider.ts'
import { Failure } from '../domain/failure.ts'

/** How many items (blocks, codes, transactions) one request asks a node for: as many as it turns out to answer. */
export interface RequestSize {
  readonly size: number
  /** The node answered for this many. */
  taken(count: number): void
  /** The node would not, or not in time, answer for this many. */
  refused(count: number): void
}

/** After this many answers a refused size is tried once more: limits depend on what the items hold. */
const FORGET_AFTER = 10

/**
 * @param first Items of the first request.
 * @param most Items a request may ever ask for.
 */
export const openRequestSize = (first: number, most: number): RequestSize => {
  let size = first
  let refusedSize = Number.POSITIVE_INFINITY
  let answers = 0
  return {
    get size() {
      return size
    },
    taken(count) {
      if (count < size) return
      answers += 1
      if (answers >= FORGET_AFTER) {
        answers = 0
        refusedSize = Number.POSITIVE_INFINITY
      }
      const larger = Math.min(most, size * 2)
      if (larger < refusedSize) size = larger
    },
    refused(count) {
      answers = 0
      refusedSize = count
      size = Math.max(1, Math.floor(count / 2))
    },
  }
}

/** Blocks whose events one request asks for below finality. */
export const openLogRange = (): RequestSize => openRequestSize(2_000, 10_000)

/**
 * Sends a request for at most `most` items, and for half as many each time the node refuses.
 *
 * @param what Completes "Could not …".
 * @param send Requests so many items; throws what the client throws.
 * @returns for how many items the answer is; no answer when that for a single item is too large.
 * @throws Failure('chain_unavailable').
 */
export const requestUpTo = async <T>(
  size: RequestSize,
  most: number,
  what: string,
  send: (count: number) => Promise<T>,
): Promise<{ readonly count: number; readonly answer: T | undefined }> => {
  for (;;) {
    const count = Math.min(size.size, most)
    try {
      const answer = await send(count)
      size.taken(count)
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

/** A part of a list with what the node answered for it: nothing for a single item whose answer is too large. */
export interface Piece<Item, T> {
  readonly piece: readonly Item[]
  readonly answer: T | undefined
}

/** Requests a list piece by piece, in order, each as large as the node takes. @throws as `requestUpTo`. */
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

/** `too_large` is what a node says of its answer, `refused` anything else that it says of a request. */
type RequestTrouble = 'too_large' | 'refused' | 'slow' | 'other'

const RATE_LIMIT = /rate limit|too many requests|per second|compute unit|throughput|quota|credits/i
const TOO_LARGE = /too large|too big|response size|size (limit )?exceeded|exceeds? (the )?(max|limit|size)/i
const REFUSED_STATUSES: readonly number[] = [400, 422]

/**
 * Nodes refuse large requests in a hundred ways, and some under the code for rate limits: everything a node says about
 * the request counts, unless it plainly speaks of the caller's pace.
 */
const requestTrouble = (error: unknown): RequestTrouble => {
  for (let e = error, depth = 0; e instanceof Error && depth < 8; e = e.cause, depth++) {
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

const refusalTrouble = (message: string): RequestTrouble => {
  if (RATE_LIMIT.test(message)) return 'other'
  return TOO_LARGE.test(message) ? 'too_large' : 'refused'
}
