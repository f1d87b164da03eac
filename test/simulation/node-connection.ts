import {
  createPublicClient,
  custom,
  HttpRequestError,
  type PublicClient,
  RpcRequestError,
  TimeoutError,
} from 'viem'
import type { Hash } from '../../lib/domain/entity.ts'
import type { Chain, View } from './chain.ts'
import { answer, NodeError, type NodeHabits } from './node.ts'

/** How one HTTP request to the node ends; the calls in it are answered by one node, from one view. */
export interface NodeOrder {
  readonly view: View
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
export const connectNode = (
  chain: Chain,
  habits: NodeHabits,
  order: (what: string) => Promise<NodeOrder>,
): PublicClient => {
  let gathering: Call[] = []
  let sending = Promise.resolve()

  const send = () => {
    const calls = gathering
    gathering = []
    for (let at = 0; at < calls.length; at += BATCH_SIZE) {
      const batch = calls.slice(at, at + BATCH_SIZE)
      sending = sending.then(async () => answerAll(chain, habits, batch, await order(describe(batch))))
    }
  }
  const provider = {
    request: ({ method, params }: { method: string; params?: readonly unknown[] }) =>
      new Promise<unknown>((resolve, reject) => {
        // Everything that is asked for in one turn of the event loop travels together.
        if (gathering.length === 0) setImmediate(send)
        gathering.push({ method, params: params ?? [], resolve, reject })
      }),
  }
  return createPublicClient({ transport: custom(provider, { retryCount: 0 }), cacheTime: 0 })
}

const answerAll = (chain: Chain, habits: NodeHabits, calls: readonly Call[], order: NodeOrder): void => {
  const hit = Math.floor(order.where * calls.length)
  calls.forEach((call, i) => {
    try {
      call.resolve(outcome(call, i === hit))
    } catch (error) {
      call.reject(error)
    }
  })

  function outcome(call: Call, isHit: boolean): unknown {
    const body = { method: call.method }
    if (order.fault === 'timeout') throw new TimeoutError({ body, url: URL })
    if (order.fault === 'unavailable') throw new HttpRequestError({ body, url: URL, status: 503 })
    if (order.fault === 'rate limit') throw refusal(body, -32005, 'too many requests')
    if (order.fault === 'one call fails' && isHit) throw refusal(body, -32603, 'internal error')
    if (order.fault === 'one block is missing' && isHit && call.method.startsWith('eth_getBlockBy'))
      return null
    try {
      return answer(chain, order.view, habits, call)
    } catch (error) {
      throw error instanceof NodeError ? refusal(body, error.code, error.message) : error
    }
  }
}

const refusal = (body: { method: string }, code: number, message: string) =>
  new RpcRequestError({ body, url: URL, error: { code, message } })

/** The calls of a batch, each kind once. */
const describe = (calls: readonly Call[]): string => {
  const counts = new Map<string, number>()
  for (const { method, params } of calls) {
    const [first] = params
    const detail = typeof first === 'string' && first.length < 12 ? ` ${first}` : range(first)
    const text = `${method.replace('eth_get', '')}${calls.length > 8 ? '' : detail}`
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => (count === 1 ? text : `${count} ${text}`)).join(', ')
}

const range = (value: unknown): string => {
  if (typeof value === 'string') return ` ${(value as Hash).slice(0, 8)}`
  const { fromBlock, toBlock, blockHash } = (value ?? {}) as Record<string, string | undefined>
  return fromBlock ? ` ${Number(fromBlock)}–${Number(toBlock)}` : blockHash ? ` ${blockHash.slice(0, 8)}` : ''
}
