import { numberToHex } from 'viem'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { PUBLISHED_TOPIC } from '../published-event.ts'
import { offersNewHeads } from './new-heads.ts'
import { BATCH_SIZES, type ChainNode, type RpcAnswer, type RpcCall, type SendOptions } from './node.ts'
import { nodeWords } from './words.ts'

/** Abilities of a node, as far as it showed them. */
export interface NodeFacts {
  readonly probedAtMs: number
  readonly chainId: number
  /** Program and version. */
  readonly client: string | undefined
  /** Calls in one batch. */
  readonly batchSize: number
  /** Blocks of one `eth_getLogs`; undefined when it answers none, or the chain is too short to tell. */
  readonly logRange: number | undefined
  readonly safeTag: boolean
  readonly finalizedTag: boolean
  /** Blocks below the head whose state it keeps: at least as many; `all` when every block that was tried has its state. */
  readonly stateBlocks: number | 'all'
  readonly proofs: boolean
  /** Gas of one `eth_call` at most. */
  readonly callGas: bigint | undefined
  /** Whether it announces new blocks over a WebSocket; undefined when that cannot be tried here. */
  readonly newHeads: boolean | undefined
  /** Milliseconds of its clock ahead of ours; undefined when it does not say. */
  readonly skewMs: number | undefined
  readonly head: number
  /** Average of the newest blocks; undefined on a short chain. */
  readonly blockTimeMs: number | undefined
}

/** Settings that are not probed. */
interface Overrides {
  readonly batchSize?: number | undefined
  readonly logRange?: number | undefined
  readonly stateBlocks?: number | undefined
  readonly tags?: boolean | undefined
  readonly proofs?: boolean | undefined
  readonly callGas?: bigint | undefined
  readonly newHeads?: boolean | undefined
  /** Address of a WebSocket, which may be the node's. */
  readonly wsUrl?: string | undefined
}

const LIMITS: SendOptions = { timeoutMs: 5_000, maxBytes: 1_048_576 }
const LOG_RANGES = [10_000, 2_000, 500, 100, 10, 5, 1] as const
/** Twice what full nodes usually keep, what they keep, and less. */
const STATE_BLOCKS = [100_000, 10_000, 1_000, 256, 128, 64, 32, 8] as const
/** Blocks that may be mined while a node is probed. */
const SLACK = 2
/** Init code that returns the gas that was left when it started. */
const RETURN_GAS: Hex = '0x5a60005260206000f3'
/** Gas of a transaction that creates a contract, before its code runs. */
const CREATION_GAS = 53_000n
const TIMED_BLOCKS = 100

/**
 * Finds out what a node can do, with about twenty small requests.
 *
 * @throws the errors of viem's HTTP client when it does not answer, Error when what it answers makes no sense.
 */
export async function probeNode(
  node: ChainNode,
  registry: Address,
  overrides: Overrides = {},
): Promise<NodeFacts> {
  const ask = async (method: string, params: readonly unknown[]): Promise<RpcAnswer> => {
    const [answer] = await node.send([{ method, params }], LIMITS)
    return answer as RpcAnswer
  }
  const chainId = Number((await ask('eth_chainId', [])).result)
  const latest = blockOf(await ask('eth_getBlockByNumber', ['latest', false]))
  if (!Number.isSafeInteger(chainId) || latest === undefined) throw new Error('the node shows no chain')
  const { result: version } = await ask('web3_clientVersion', [])
  const has = async (method: string, params: readonly unknown[]) => {
    const { result } = await ask(method, params)
    return result !== undefined && result !== null
  }
  const before = blockOf(
    await ask('eth_getBlockByNumber', [numberToHex(Math.max(0, latest.number - TIMED_BLOCKS)), false]),
  )
  const timed = before === undefined ? 0 : latest.number - before.number
  return {
    probedAtMs: Date.now(),
    chainId,
    client: clientName(version),
    batchSize: overrides.batchSize ?? (await batchSize(node)),
    logRange: overrides.logRange ?? (await logRange(ask, registry, latest.number)),
    safeTag: overrides.tags ?? (await has('eth_getBlockByNumber', ['safe', false])),
    finalizedTag: overrides.tags ?? (await has('eth_getBlockByNumber', ['finalized', false])),
    stateBlocks: overrides.stateBlocks ?? (await stateBlocks(ask)),
    proofs: overrides.proofs ?? (await has('eth_getProof', [registry, [], 'latest'])),
    callGas: overrides.callGas ?? gasOf(await ask('eth_call', [{ data: RETURN_GAS }, 'latest'])),
    newHeads: overrides.newHeads ?? (await offersNewHeads(node.url, overrides.wsUrl)),
    skewMs: node.skewMs,
    head: latest.number,
    blockTimeMs:
      before === undefined || timed < TIMED_BLOCKS
        ? undefined
        : Math.round((1000 * (latest.timestamp - before.timestamp)) / timed),
  }
}

type Ask = (method: string, params: readonly unknown[]) => Promise<RpcAnswer>

async function batchSize(node: ChainNode): Promise<number> {
  const call: RpcCall = { method: 'eth_chainId', params: [] }
  for (const size of BATCH_SIZES) {
    const outcome = await node.post(
      Array.from({ length: size }, () => call),
      LIMITS,
    )
    if (outcome.kind === 'answers' && outcome.answers.every(({ error }) => error === undefined)) return size
  }
  return 1
}

/** The longest range that is answered; undefined when the chain is shorter than it, or none is. */
async function logRange(ask: Ask, registry: Address, head: number): Promise<number | undefined> {
  for (const blocks of LOG_RANGES) {
    const from = Math.max(0, head - blocks + 1)
    const filter = {
      address: registry,
      topics: [PUBLISHED_TOPIC],
      fromBlock: numberToHex(from),
      toBlock: numberToHex(head),
    }
    const { result } = await ask('eth_getLogs', [filter])
    if (Array.isArray(result)) return head + 1 < blocks ? undefined : blocks
  }
  return undefined
}

async function stateBlocks(ask: Ask): Promise<NodeFacts['stateBlocks']> {
  let head = 0
  let refused = false
  for (const blocks of STATE_BLOCKS) {
    // Each time: a chain may add several blocks a second.
    head = blockOf(await ask('eth_getBlockByNumber', ['latest', false]))?.number ?? head
    const block = head - blocks + SLACK
    if (block < 0) continue
    if (gasOf(await ask('eth_call', [{ data: RETURN_GAS }, numberToHex(block)])) !== undefined) {
      return refused ? blocks : 'all'
    }
    refused = true
  }
  return refused ? 0 : 'all'
}

function gasOf({ result }: RpcAnswer): bigint | undefined {
  if (typeof result !== 'string' || !/^0x[0-9a-f]{64}$/i.test(result)) return undefined
  // A node without the state of a block answers as if there were no code, others with an error.
  const gasLeft = BigInt(result)
  return gasLeft === 0n ? undefined : gasLeft + CREATION_GAS
}

function blockOf({ result }: RpcAnswer): { number: number; timestamp: number } | undefined {
  const { number, timestamp } = (result ?? {}) as { number?: unknown; timestamp?: unknown }
  return typeof number === 'string' && typeof timestamp === 'string'
    ? { number: Number(number), timestamp: Number(timestamp) }
    : undefined
}

/** `Geth/v1.16.2` of `Geth/v1.16.2-stable-abc/linux-amd64/go1.24`. */
function clientName(version: unknown): string | undefined {
  if (typeof version !== 'string') return undefined
  const [name = '', number] = version.slice(0, 100).split('/')
  return nodeWords(number === undefined ? name : `${name}/${number.split('-', 1)[0]}`)
}
