import {
  createPublicClient,
  custom,
  HttpRequestError,
  type PublicClient,
  RpcRequestError,
  TimeoutError,
} from 'viem'
import type { Hash } from '#lib/protocol/entity.ts'
import type { Chain, View } from './chain.ts'
import { answer, NodeError, type NodeHabits } from './node.ts'

/** End of one HTTP request to the node; the calls in it are answered by one node, from one view. */
export interface NodeOrder {
  readonly view: View
  /** View of a second node, which answers the later half of a batch, if it requests only blocks by number. */
  readonly other: View
  /** The fraction of a batch after which the node moves on to the other view, and stays there. */
  readonly moves?: number | undefined
  readonly fault:
    | 'none'
    | 'timeout'
    | 'unavailable'
    | 'rate limit'
    | 'one call fails'
    | 'one block is missing'
  /** Which call of the batch a fault hits, as a fraction of the batch. */
  readonly where: number
}

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
  resolve(result: unknown): void
  reject(error: unknown): void
}

const URL = 'http://node.invalid'
/** As `connectChain` has it. */
const BATCH_SIZE = 64

/**
 * A client whose calls are gathered into batches as the real one's are; every batch waits for an order. There is no
 * retry below the worker, so that every fault reaches it.
 */
export function connectNode(
  chain: Chain,
  habits: NodeHabits,
  order: (what: string, requests: number) => Promise<readonly NodeOrder[]>,
): PublicClient {
  let gathering: Call[] = []

  const send = async () => {
    const calls = gathering
    gathering = []
    const orders = await order(describe(calls), Math.ceil(calls.length / BATCH_SIZE))
    orders.forEach((each, i) => {
      answerAll(chain, habits, calls.slice(i * BATCH_SIZE, (i + 1) * BATCH_SIZE), each)
    })
  }
  const provider = {
    request: ({ method, params }: { method: string; params?: readonly unknown[] }) =>
      new Promise<unknown>((resolve, reject) => {
        // All requests of one turn of the event loop are sent as a batch.
        if (gathering.length === 0) setImmediate(() => void send())
        gathering.push({ method, params: params ?? [], resolve, reject })
      }),
  }
  return createPublicClient({ transport: custom(provider, { retryCount: 0 }), cacheTime: 0 })
}

function answerAll(chain: Chain, habits: NodeHabits, calls: readonly Call[], order: NodeOrder): void {
  const hit = Math.floor(order.where * calls.length)
  const plain = calls.every(
    ({ method, params: [first] }) => method === 'eth_getBlockByNumber' && String(first).startsWith('0x'),
  )
  calls.forEach((call, i) => {
    try {
      const moved = order.moves !== undefined && i > 0 && i >= order.moves * calls.length
      const other = moved || (plain && i > calls.length / 2)
      call.resolve(outcome(call, i === hit, other ? order.other : order.view))
    } catch (error) {
      call.reject(error)
    }
  })

  function outcome(call: Call, isHit: boolean, view: View): unknown {
    const body = { method: call.method }
    if (order.fault === 'timeout') throw new TimeoutError({ body, url: URL })
    if (order.fault === 'unavailable') throw new HttpRequestError({ body, url: URL, status: 503 })
    if (order.fault === 'rate limit') throw refusal(body, -32005, 'too many requests')
    if (order.fault === 'one call fails' && isHit) throw refusal(body, -32603, 'internal error')
    if (order.fault === 'one block is missing' && isHit && call.method.startsWith('eth_getBlockBy'))
      return null
    try {
      return answer(chain, view, habits, call)
    } catch (error) {
      throw error instanceof NodeError ? refusal(body, error.code, error.message) : error
    }
  }
}

/** Orders for a node that does what it should. */
export function healthy(view: () => View) {
  return async (_what: string, requests: number): Promise<readonly NodeOrder[]> =>
    Array.from({ length: requests }, () => ({ view: view(), other: view(), fault: 'none', where: 0 }))
}

function refusal(body: { method: string }, code: number, message: string) {
  return new RpcRequestError({ body, url: URL, error: { code, message } })
}

/** The calls of a batch, each kind once. */
function describe(calls: readonly Call[]): string {
  const counts = new Map<string, number>()
  for (const { method, params } of calls) {
    const [first] = params
    const detail = typeof first === 'string' && first.length < 12 ? ` ${first}` : range(first)
    const text = `${method.replace('eth_get', '')}${calls.length > 8 ? '' : detail}`
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => (count === 1 ? text : `${count} ${text}`)).join(', ')
}

function range(value: unknown): string {
  if (typeof value === 'string') return ` ${(value as Hash).slice(0, 8)}`
  const { fromBlock, toBlock, blockHash } = (value ?? {}) as Record<string, string | undefined>
  return fromBlock ? ` ${Number(fromBlock)}–${Number(toBlock)}` : blockHash ? ` ${blockHash.slice(0, 8)}` : ''
}
