import type { BaseError, HttpRequestError, RpcRequestError } from 'viem'
import type { Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { nodeWords } from './nodes/words.ts'

/** JSON-RPC error of a node. */
export interface NodeError {
  readonly code: number
  readonly message: string
  /** Revert data, when the node sent any. */
  readonly data: Hex | undefined
}

/** Thrown by `viaProvider` for a JSON-RPC error; only callers that expect one catch it. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'
  readonly error: NodeError

  constructor(error: NodeError, options?: ErrorOptions) {
    super(error.message, options)
    this.error = error
  }
}

function findHex(value: unknown, depth = 0): Hex | undefined {
  if (typeof value === 'string') {
    return /^0x([0-9a-fA-F]{2})*$/.test(value) ? (value.toLowerCase() as Hex) : undefined
  }
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined
  // Nodes nest revert data differently: `data`, `data.data`, `data.originalError.data`.
  for (const key of ['data', 'originalError', 'error']) {
    const hex = findHex((value as Record<string, unknown>)[key], depth + 1)
    if (hex !== undefined) return hex
  }
  return undefined
}

/** Finds the JSON-RPC error of the node in an error of the client library. */
function nodeErrorOf(error: unknown): NodeError | undefined {
  if (error instanceof NodeRefusal) return error.error
  const rpc = viemError<RpcRequestError>(error, 'RpcRequestError')
  if (rpc === undefined) return undefined
  return { code: rpc.code, message: rpc.details || rpc.shortMessage, data: findHex(rpc.data) }
}

const RATE_LIMIT = /rate limit|too many requests|per second|compute unit|throughput|quota|credits/i

/** Whether the words of a node are about the rate of requests, not about one of them. */
export function isRateLimit(message: string): boolean {
  return RATE_LIMIT.test(message)
}

/** Error codes of rate limits. */
const RATE_LIMITED: readonly number[] = [-32005, 429]

/**
 * Runs one chain access. A JSON-RPC error becomes `NodeRefusal`; any other failure (connection, timeout, HTTP error, rate
 * limit, invalid answer) becomes `Failure('chain_unavailable')`. Callers interpret refusals, because nodes use the same
 * few codes for nearly everything.
 */
export async function viaProvider<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Failure || error instanceof NodeRefusal) throw error
    const refusal = nodeErrorOf(error)
    if (refusal && !RATE_LIMITED.includes(refusal.code)) throw new NodeRefusal(refusal, { cause: error })
    throw chainUnavailable(what, error)
  }
}

/** Like `viaProvider`, for reads that no healthy node refuses: a refusal becomes `Failure('chain_unavailable')`. */
export async function readProvider<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await viaProvider(what, run)
  } catch (error) {
    if (error instanceof NodeRefusal) throw chainUnavailable(what, error)
    throw error
  }
}

/**
 * The failure of a node, with the node's own words where it sent any.
 *
 * @param what Completes "Could not …", for instance `read the registry`.
 */
export function chainUnavailable(what: string, cause?: unknown): Failure {
  const words = wordsOf(cause)
  const detail = words === undefined ? '' : ` (it says: ${words})`
  return new Failure(
    'chain_unavailable',
    `Could not ${what}: the chain endpoint is unavailable${detail}; try again later`,
    {},
    cause === undefined ? undefined : { cause },
  )
}

/** Message of a node in an error, fit to be shown. */
function wordsOf(error: unknown): string | undefined {
  const message = nodeErrorOf(error)?.message
  if (message !== undefined) return nodeWords(message)
  const http = viemError<HttpRequestError>(error, 'HttpRequestError')
  return http?.status === undefined ? undefined : nodeWords(http.details)
}

/**
 * Finds an error by name among a thrown one and its causes. Not by class, because pages, routes and the server have
 * separate copies of viem and share one client.
 *
 * @param name For instance `RpcRequestError`.
 */
export function viemError<E extends BaseError = BaseError>(error: unknown, name: E['name']): E | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each.name === name) return each as E
  }
  return undefined
}
