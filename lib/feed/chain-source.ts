import { numberToHex, type PublicClient } from 'viem'
import type { ChainAccess } from '../chain/access.ts'
import { chainUnavailable, NodeRefusal, readProvider, viaProvider } from '../chain/provider.ts'
import { PUBLISHED_TOPIC } from '../chain/published-event.ts'
import type { Address, Hash, Hex } from '../domain/entity.ts'

/** A block as the worker keeps it. */
export interface Header {
  readonly number: number
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestampMs: number
}

/** A header as the node gave it, with the one thing more that saves asking for logs. */
export interface FetchedHeader extends Header {
  /** False when no transaction, hence no event, can be in the block. */
  readonly mayHaveLogs: boolean
}

/** A `Published` log of the registry, not decoded. */
export interface RegistryLog {
  readonly blockNumber: number
  readonly blockHash: Hash
  readonly txHash: Hash
  readonly txIndex: number
  readonly logIndex: number
  readonly topics: readonly Hex[]
  readonly data: Hex
}

export interface Heads {
  readonly head: FetchedHeader
  /** Undefined when the node did not say; what is known stays. */
  readonly safe: number | undefined
  readonly finalized: number | undefined
}

/** Depths below the head that stand in for tags a node does not have. */
export interface FinalityDepths {
  readonly safeDepth: number
  readonly finalizedDepth: number
}

/** What the worker asks of a node. Every method throws `Failure('chain_unavailable')` on the node's trouble. */
export interface ChainSource {
  heads(): Promise<Heads>
  headers(from: number, to: number): Promise<FetchedHeader[]>
  headerByHash(hash: Hash): Promise<FetchedHeader | undefined>
  logsOfBlocks(hashes: readonly Hash[]): Promise<RegistryLog[]>
  /** Also throws `NodeRefusal`: nodes take ranges of very different length. */
  logsOfRange(from: number, to: number): Promise<RegistryLog[]>
  /** Calldata of mined transactions. */
  inputs(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Hex>>
  /** Code of an entity that was published. */
  code(address: Address): Promise<Hex>
}

export const chainSource = (chain: ChainAccess, depths: FinalityDepths): ChainSource => {
  const { public: client, registry } = chain
  const tags = { safe: tagReader(client, 'safe'), finalized: tagReader(client, 'finalized') }
  return {
    heads: () => heads(client, tags, depths),
    headers: (from, to) =>
      readProvider('read blocks', async () => {
        const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
        const blocks = await Promise.all(numbers.map((n) => blockByNumber(client, numberToHex(n))))
        // A node that answers null for a block below its own head is between two views of the chain.
        const end = blocks.indexOf(undefined)
        return blocks.slice(0, end === -1 ? undefined : end) as FetchedHeader[]
      }),
    headerByHash: (hash) =>
      readProvider('read a block', async () =>
        toHeader(await client.request({ method: 'eth_getBlockByHash', params: [hash, false] })),
      ),
    logsOfBlocks: (hashes) =>
      readProvider('read events', async () => {
        // Some nodes say that a block they do not have has no events: the two questions travel together.
        const answers = await Promise.all(
          hashes.flatMap((blockHash) => [
            getLogs(client, registry, { blockHash }),
            client.request({ method: 'eth_getBlockByHash', params: [blockHash, false] }),
          ]),
        )
        if (answers.includes(null)) throw chainUnavailable('read events of a block that was just there')
        return answers.filter((answer) => Array.isArray(answer)).flat()
      }),
    logsOfRange: (from, to) =>
      // Not `readProvider`: a node may refuse the range, and what it says tells to ask for less.
      viaProvider('read events', () =>
        getLogs(client, registry, { fromBlock: numberToHex(from), toBlock: numberToHex(to) }),
      ),
    inputs: (hashes) =>
      readProvider('read transactions', async () => {
        const transactions = await Promise.all(
          hashes.map((hash) => client.request({ method: 'eth_getTransactionByHash', params: [hash] })),
        )
        // It is in a block that a node has shown: another node has not got so far.
        if (transactions.includes(null)) throw chainUnavailable('read a transaction that was mined')
        return new Map(transactions.flatMap((tx) => (tx ? [[tx.hash, tx.input] as const] : [])))
      }),
    code: (address) =>
      readProvider('read code', async () => {
        const code = await client.getCode({ address })
        if (code === undefined) throw chainUnavailable('read the code of an entity that was published')
        return code
      }),
  }
}

/** The height of a tag; `unsupported` when the node has no such tag, undefined when it only failed to answer. */
type TagReader = () => Promise<number | 'unsupported' | undefined>

const heads = async (
  client: PublicClient,
  tags: { readonly safe: TagReader; readonly finalized: TagReader },
  depths: FinalityDepths,
): Promise<Heads> => {
  const [head, safe, finalized] = await Promise.all([
    readProvider('read the head', () => blockByNumber(client, 'latest')),
    tags.safe(),
    tags.finalized(),
  ])
  if (head === undefined) throw chainUnavailable('read the head')
  const below = (depth: number) => Math.max(0, head.number - depth)
  const finalizedHeight = finalized === 'unsupported' ? below(depths.finalizedDepth) : finalized
  const safeHeight = safe === 'unsupported' ? below(depths.safeDepth) : safe
  return { head, finalized: finalizedHeight, safe: safeHeight }
}

/** Codes under which nodes say that they know no such tag. */
const UNKNOWN_TAG: readonly number[] = [-32602, -32601]

const tagReader = (client: PublicClient, tag: 'safe' | 'finalized'): TagReader => {
  // What a node once had it has: a refusal later on is a trouble like any other, and trouble makes nothing final.
  let known = false
  return async () => {
    try {
      const header = await viaProvider(`read the ${tag} block`, () => blockByNumber(client, tag))
      known ||= header !== undefined
      return header?.number
    } catch (error) {
      const unknownTag = error instanceof NodeRefusal && UNKNOWN_TAG.includes(error.error.code)
      return unknownTag && !known ? 'unsupported' : undefined
    }
  }
}

const blockByNumber = async (client: PublicClient, block: Hex | 'latest' | 'safe' | 'finalized') =>
  toHeader(await client.request({ method: 'eth_getBlockByNumber', params: [block, false] }))

const toHeader = (
  block: {
    number: Hex | null
    hash: Hash | null
    parentHash: Hash
    timestamp: Hex
    transactions: readonly unknown[]
  } | null,
): FetchedHeader | undefined => {
  if (!block?.hash || block.number === null) return undefined
  return {
    number: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestampMs: Number(block.timestamp) * 1000,
    mayHaveLogs: block.transactions.length > 0,
  }
}

const getLogs = async (
  client: PublicClient,
  registry: Address,
  where: { blockHash: Hash } | { fromBlock: Hex; toBlock: Hex },
): Promise<RegistryLog[]> => {
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [{ address: registry, topics: [PUBLISHED_TOPIC], ...where }],
  })
  return logs
    .map((log) => ({
      blockNumber: Number(log.blockNumber),
      blockHash: log.blockHash as Hash,
      txHash: log.transactionHash as Hash,
      txIndex: Number(log.transactionIndex),
      logIndex: Number(log.logIndex),
      topics: log.topics,
      data: log.data,
    }))
    .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}
