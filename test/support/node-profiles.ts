import { numberToHex, stringToHex } from 'viem'
import { readPublishedEvent } from '#lib/chain/published-event.ts'
import type { HttpAnswer, Intervention, RpcCall, RpcProxy } from './rpc-proxy.ts'

/** Habits of a provider of nodes, in front of a node without any. */
export interface NodeProfile {
  readonly name: string
  refuse?(calls: readonly RpcCall[], request: number): HttpAnswer | undefined
  /** @param head Newest block of the node behind. */
  intervene?(call: RpcCall, head: number, request: number): Intervention | undefined
  amend?(call: RpcCall, result: unknown): unknown
  /** The plan is spent: another node stands in. */
  readonly useless?: true
  /** Facts of `/status` that show how it was understood. */
  readonly shows?: RegExp
}

function json(status: number, body: object, headers = {}): HttpAnswer {
  return { status, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } }
}

function blocksOf({ method, params }: RpcCall): number {
  const [filter] = params as [{ fromBlock?: string; toBlock?: string }?]
  if (method !== 'eth_getLogs' || filter?.fromBlock === undefined) return 0
  return Number(filter.toBlock) - Number(filter.fromBlock) + 1
}

function rangeLimit(limit: number, refusal: Intervention) {
  return (call: RpcCall) => (blocksOf(call) > limit ? refusal : undefined)
}

/** Block of a call about state; undefined for tags, hashes and other calls. */
function stateBlockOf({ method, params }: RpcCall): number | undefined {
  if (method !== 'eth_call' && method !== 'eth_getCode' && method !== 'eth_getBalance') return undefined
  const block = params[1]
  return typeof block === 'string' && block.startsWith('0x') ? Number(block) : undefined
}

/** A node that has not heard of the newest blocks. */
function behind(blocks: number) {
  return ({ method, params }: RpcCall, head: number): Intervention | undefined => {
    if (method === 'eth_blockNumber') return { result: numberToHex(head - blocks) }
    if (method !== 'eth_getBlockByNumber') return undefined
    const [block, full] = params
    if (block === 'latest') return { params: [numberToHex(head - blocks), full] }
    return typeof block === 'string' && Number(block) > head - blocks ? { result: null } : undefined
  }
}

interface WireLog {
  readonly topics: readonly string[]
  readonly data: string
  readonly logIndex: string
}

/** Adds a publication of another name, at an address without code, beside each that happened. */
function withForgery({ method }: RpcCall, result: unknown): unknown {
  if (method !== 'eth_getLogs' || !Array.isArray(result)) return result
  return result.flatMap((log: WireLog) => {
    const event = readPublishedEvent(log)
    if (event === undefined) return [log]
    const hex = (text: string) => stringToHex(text).slice(2)
    const forge = (text: string) =>
      text
        .replaceAll(event.address.slice(2), 'fe'.repeat(20))
        .replace(hex(event.name), hex('x'.repeat(event.name.length)))
    const logIndex = numberToHex(Number(log.logIndex) + 1000)
    return [log, { ...log, topics: log.topics.map(forge), data: forge(log.data), logIndex }]
  })
}

/**
 * The providers of `spec/chains`, and nodes that lie or disagree. Each limit is lower than that before it, so that it is
 * met also by a program that has learned the others.
 */
export const NODE_PROFILES: readonly NodeProfile[] = [
  {
    name: 'ten calls a request, refused as HTTP 400',
    refuse: (calls) => (calls.length > 10 ? { status: 400, body: '' } : undefined),
    shows: /takes 10 calls/,
  },
  {
    name: 'three calls a request, refused as HTTP 500',
    refuse: (calls) =>
      calls.length > 3
        ? json(500, { message: 'Batch of more than 3 requests are not allowed on free tier', code: 31 })
        : undefined,
    shows: /takes 3 calls/,
  },
  {
    name: 'one call a request',
    refuse: (calls) =>
      calls.length > 1
        ? json(200, { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Invalid Request' } })
        : undefined,
    shows: /one call a request/,
  },
  {
    name: 'bodies over the limit',
    refuse: (calls) =>
      calls.some((call) => blocksOf(call) > 30)
        ? { status: 200, body: `[${' '.repeat(11 * 1024 * 1024)}]` }
        : undefined,
  },
  {
    name: 'a limit of results',
    intervene: rangeLimit(20, { code: -32_005, message: 'query returned more than 10000 results' }),
  },
  {
    name: 'events of 10 blocks, refused as HTTP 400',
    refuse: (calls) =>
      calls.some((call) => blocksOf(call) > 10)
        ? json(400, {
            jsonrpc: '2.0',
            id: 1,
            error: { code: -32_600, message: 'eth_getLogs requests with up to a 10 block range' },
          })
        : undefined,
    shows: /events of 10 blocks/,
  },
  {
    name: 'events of 5 blocks',
    intervene: rangeLimit(5, { code: -32_614, message: 'eth_getLogs is limited to a 5 range' }),
    shows: /events of 5 blocks/,
  },
  { name: 'a spent plan', useless: true, refuse: () => json(402, { error: { message: 'plan is spent' } }) },
  {
    name: '429 with Retry-After',
    refuse: (_, request) =>
      request % 25 === 24 ? { status: 429, headers: { 'Retry-After': '1' }, body: 'slow down' } : undefined,
  },
  {
    name: '429 without Retry-After',
    refuse: (_, request) => (request % 12 === 11 ? { status: 429, body: 'slow down' } : undefined),
  },
  {
    name: 'no tags',
    intervene: ({ params }) =>
      params[0] === 'safe' || params[0] === 'finalized'
        ? { code: -32_602, message: 'invalid block tag' }
        : undefined,
    shows: /no tags for safe and finalized blocks/,
  },
  { name: 'two blocks behind', intervene: behind(2) },
  { name: 'events that never happened', amend: withForgery },
  {
    name: 'two nodes that disagree behind one address',
    intervene: (call, head, request) => (request % 2 === 0 ? behind(1)(call, head) : undefined),
  },
  {
    name: 'state of 8 blocks',
    intervene: (call, head) => {
      const block = stateBlockOf(call)
      return block !== undefined && block < head - 8
        ? { code: -32_000, message: `missing trie node ${'7'.repeat(64)} (path ) state is not available` }
        : undefined
    },
    // How many depends on how fast the chain goes on meanwhile.
    shows: /keeps (8 blocks of state|the state of the newest block only)/,
  },
]

/** Makes a proxy behave as a profile says. */
export function applyProfile(proxy: RpcProxy, profile: NodeProfile, head: () => number): void {
  let request = 0
  proxy.refuse = (calls) => {
    request += 1
    return profile.refuse?.(calls, request)
  }
  proxy.intervene = (call) => profile.intervene?.(call, head(), request)
  proxy.amend = (call, result) => (profile.amend === undefined ? result : profile.amend(call, result))
}
