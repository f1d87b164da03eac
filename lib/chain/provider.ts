import type { RpcRequestError } from 'viem'
import type { Hex } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { viemError } from './viem-error.ts'

/** An error object the node itself answered with (the request arrived, the answer is "no"). */
export interface NodeError {
  readonly code: number
  readonly message: string
  /** Revert data, when the node sent any. */
  readonly data: Hex | undefined
}

/** Thrown by `nodeRequest` when the node refuses; callers that expect refusals catch it, nobody else should. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'
  readonly error: NodeError

  constructor(error: NodeError, options?: ErrorOptions) {
    super(error.message, options)
    this.error = error
  }
}

const findHex = (value: unknown, depth = 0): Hex | undefined => {
  if (typeof value === 'string') {
    return /^0x([0-9a-fA-F]{2})*$/.test(value) ? (value.toLowerCase() as Hex) : undefined
  }
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined
  // Nodes nest revert data differently: `data`, `data.data`, `data.originalError.data`.
  for (const key of ['data', 'originalError', 'error']) {
    const found = findHex((value as Record<string, unknown>)[key], depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** The node's own error object inside whatever the client library threw, if the node answered at all. */
const nodeErrorOf = (error: unknown): NodeError | undefined => {
  if (error instanceof NodeRefusal) return error.error
  const rpc = viemError<RpcRequestError>(error, 'RpcRequestError')
  if (rpc === undefined) return undefined
  return { code: rpc.code, message: rpc.details || rpc.shortMessage, data: findHex(rpc.data) }
}

/** Answers about the client's standing, not about the request. */
const RATE_LIMITED: readonly number[] = [-32005, 429]

/**
 * Runs one piece of chain access. An answer of the node that refuses becomes `NodeRefusal`; everything else that
 * goes wrong (connection, timeout, HTTP error, rate limit, garbage) becomes `Failure('chain_unavailable')`. What a
 * refusal says about the request is for the caller to find out: nodes put nearly anything under the same few codes.
 */
export const viaProvider = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Failure || error instanceof NodeRefusal) throw error
    const refusal = nodeErrorOf(error)
    if (refusal && !RATE_LIMITED.includes(refusal.code)) throw new NodeRefusal(refusal, { cause: error })
    throw chainUnavailable(what, error)
  }
}

/** Like `viaProvider`, for reads that no healthy node refuses: a refusal counts as provider trouble too. */
export const readProvider = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
  try {
    return await viaProvider(what, run)
  } catch (error) {
    if (error instanceof NodeRefusal) throw chainUnavailable(what, error)
    throw error
  }
}

/** @param what Completes "Could not …", for instance `read the registry`. */
export const chainUnavailable = (what: string, cause?: unknown): Failure =>
  new Failure(
    'chain_unavailable',
    `Could not ${what}: the chain endpoint is unavailable; try again later`,
    {},
    cause === undefined ? undefined : { cause },
  )
