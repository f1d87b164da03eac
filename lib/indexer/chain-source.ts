import { numberToHex, type PublicClient } from 'viem'
import type { ChainAccess } from '../chain/access.ts'
import { chainUnavailable, NodeRefusal, readProvider, viaProvider } from '../chain/provider.ts'
import { PUBLISHED_TOPIC } from '../chain/published-event.ts'
import { decodeEntry, encodeEntryCall } from '../chain/registry-reads.ts'
import type { Config } from '../platform/config.ts'
import { chainFacts } from '../protocol/chains.ts'
import type { Address, EntityKind, Hash, Hex } from '../protocol/entity.ts'
import { inPieces, openRequestSize, type Piece } from './request-size.ts'

/** A block as it is stored. */
export interface Header {
  readonly number: number
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestampMs: number
}

/** A header from the node. */
export interface FetchedHeader extends Header {
  /** False for a block without transactions, which has no events. */
  readonly mayHaveLogs: boolean
}

/** An undecoded `Published` log of the registry. */
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
  /** Undefined when the node did not answer; the known height stays. */
  readonly safe: number | undefined
  readonly finalized: number | undefined
}

/** Depths below the head that replace tags a node does not support. */
export interface FinalityDepths {
  readonly safeDepth: number
  readonly finalizedDepth: number
}

/** Returns the configured depths of a chain, or else those of its own. */
export function finalityDepths(
  chainId: number,
  { safeDepth, finalizedDepth }: Pick<Config['worker'], 'safeDepth' | 'finalizedDepth'>,
): FinalityDepths {
  const { depths } = chainFacts(chainId)
  return { safeDepth: safeDepth ?? depths.safe, finalizedDepth: finalizedDepth ?? depths.finalized }
}

/** The entity that an event names. */
export interface EntityReference {
  readonly kind: EntityKind
  readonly name: string
  readonly address: Address
}

/** Code and registry entry of an entity on chain. */
export interface DeployedEntity {
  /** `0x` when there is no code at the address. */
  readonly code: Hex
  /** As the registry has it; 0 for a connector. */
  readonly argsCount: number
}

/** Requests of the indexer to a node. Every method throws `Failure('chain_unavailable')` when the node fails. */
export interface ChainSource {
  heads(): Promise<Heads>
  headers(from: number, to: number): Promise<FetchedHeader[]>
  headerByHash(hash: Hash): Promise<FetchedHeader | undefined>
  /** In the order of the arguments; fewer when the node lacks one of them. */
  headersByHash(hashes: readonly Hash[]): Promise<FetchedHeader[]>
  /** Events of the blocks in order, in pages of some blocks. */
  logsOfBlocks(
    hashes: readonly Hash[],
  ): AsyncIterable<{ readonly count: number; readonly logs: readonly RegistryLog[] }>
  /** Throws the client's errors: nodes accept ranges of very different length. */
  logsOfRange(from: number, to: number): Promise<RegistryLog[]>
  /** Calldata of mined transactions, in pages; undefined where the answer is too large for this client. */
  inputs(
    transactions: readonly Pick<RegistryLog, 'blockHash' | 'txIndex'>[],
  ): AsyncIterable<readonly (Hex | undefined)[]>
  /** Current code of entities in their order, in pages. */
  deployed(entities: readonly EntityReference[]): AsyncIterable<readonly DeployedEntity[]>
  /**
   * Code of entities, read from a chain that contains a block.
   *
   * @returns undefined when the node's chain does not contain it before and after the read.
   */
  deployedWith(
    block: Pick<Header, 'number' | 'hash'>,
    entities: readonly EntityReference[],
  ): Promise<DeployedEntity[] | undefined>
}

/** Calls in one JSON-RPC batch; the client splits longer ones. */
const BATCH_CALLS = 64

export function chainSource(chain: ChainAccess, depths: FinalityDepths): ChainSource {
  const { public: client, registry } = chain
  const tags = { safe: tagReader(client, 'safe'), finalized: tagReader(client, 'finalized') }
  // One size for each kind of request, because nodes limit the size of answers.
  const sizes = {
    headers: openRequestSize(BATCH_CALLS, BATCH_CALLS),
    logs: openRequestSize(BATCH_CALLS / 2, BATCH_CALLS / 2),
    // Few: one can be as large as a hundred codes, and an answer is parsed in one go.
    inputs: openRequestSize(8, 8),
    deployed: openRequestSize(BATCH_CALLS / 2 - 1, BATCH_CALLS / 2 - 1),
  }
  const readDeployed = (entities: readonly EntityReference[]) =>
    Promise.all(entities.map((entity) => deployedEntity(client, registry, entity)))
  return {
    heads: () => heads(client, tags, depths),
    async headers(from, to) {
      const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => numberToHex(from + i))
      return upToFirstGap(
        inPieces(sizes.headers, numbers, 'read blocks', (piece) =>
          Promise.all(piece.map((number) => blockByNumber(client, number))),
        ),
      )
    },
    headerByHash: (hash) => readProvider('read a block', () => blockByHash(client, hash)),
    headersByHash: (hashes) =>
      upToFirstGap(
        inPieces(sizes.headers, hashes, 'read blocks', (piece) =>
          Promise.all(piece.map((hash) => blockByHash(client, hash))),
        ),
      ),
    async *logsOfBlocks(hashes) {
      const pieces = inPieces(sizes.logs, hashes, 'read events', (piece) =>
        // Some nodes return no events for a block they lack, so both requests are in one batch.
        Promise.all(
          piece.flatMap((blockHash) => [
            getLogs(client, registry, { blockHash }),
            client.request({ method: 'eth_getBlockByHash', params: [blockHash, false] }),
          ]),
        ),
      )
      for await (const { piece, answer } of pieces) {
        if (answer === undefined) throw chainUnavailable('read the events of one block')
        if (answer.includes(null)) throw chainUnavailable('read events of a block that was just there')
        yield { count: piece.length, logs: answer.filter((each) => Array.isArray(each)).flat() }
      }
    },
    logsOfRange: (from, to) =>
      getLogs(client, registry, { fromBlock: numberToHex(from), toBlock: numberToHex(to) }),
    async *inputs(transactions) {
      const pieces = inPieces(sizes.inputs, transactions, 'read transactions', (piece) =>
        Promise.all(
          piece.map(({ blockHash, txIndex }) =>
            // By index: nodes prune the transaction index sooner than blocks.
            client.request({
              method: 'eth_getTransactionByBlockHashAndIndex',
              params: [blockHash, numberToHex(txIndex)],
            }),
          ),
        ),
      )
      for await (const { answer } of pieces) {
        // A node returned its block: this one is behind.
        if (answer?.includes(null)) throw chainUnavailable('read a transaction that was mined')
        yield answer === undefined ? [undefined] : answer.map((transaction) => transaction?.input)
      }
    },
    async *deployed(entities) {
      for await (const { answer } of inPieces(sizes.deployed, entities, 'read code', readDeployed)) {
        if (answer === undefined) throw chainUnavailable('read the code of one entity')
        yield answer
      }
    },
    async deployedWith({ number, hash }, entities) {
      const found: DeployedEntity[] = []
      const pieces = inPieces(sizes.deployed, entities, 'read code', async (piece) => {
        // One node answers a batch. The block is read first and last, because its chain may change in between.
        const [before, deployed, after] = await Promise.all([
          blockByNumber(client, numberToHex(number)),
          readDeployed(piece),
          blockByNumber(client, numberToHex(number)),
        ])
        return before?.hash === hash && after?.hash === hash ? deployed : null
      })
      for await (const { answer } of pieces) {
        if (!answer) return undefined
        found.push(...answer)
      }
      return found
    },
  }
}

/** Headers before the first missing one: a node that lacks a block below its head is switching branches. */
async function upToFirstGap(
  pieces: AsyncIterable<Piece<unknown, readonly (FetchedHeader | undefined)[]>>,
): Promise<FetchedHeader[]> {
  const found: FetchedHeader[] = []
  for await (const { answer = [undefined] } of pieces) {
    for (const header of answer) {
      if (header === undefined) return found
      found.push(header)
    }
  }
  return found
}

async function deployedEntity(
  client: PublicClient,
  registry: Address,
  { kind, name, address }: EntityReference,
): Promise<DeployedEntity> {
  const call = { to: registry, data: kind === 'connector' ? '0x' : encodeEntryCall(kind, name) } as const
  const [code, entry] = await Promise.all([
    client.request({ method: 'eth_getCode', params: [address, 'latest'] }),
    kind === 'connector' ? undefined : client.request({ method: 'eth_call', params: [call, 'latest'] }),
  ])
  return { code, argsCount: entry === undefined ? 0 : decodeEntry(entry)[2] }
}

/** Returns the height of a tag, `unsupported` when the node has no such tag, undefined when it failed to answer. */
type TagReader = () => Promise<number | 'unsupported' | undefined>

async function heads(
  client: PublicClient,
  tags: { readonly safe: TagReader; readonly finalized: TagReader },
  depths: FinalityDepths,
): Promise<Heads> {
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

/** Error codes of nodes that do not support a tag. */
const UNKNOWN_TAG: readonly number[] = [-32602, -32601]

function tagReader(client: PublicClient, tag: 'safe' | 'finalized'): TagReader {
  // A tag that once worked is supported: a later refusal is an ordinary failure, which makes nothing final.
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

async function blockByHash(client: PublicClient, hash: Hash) {
  return toHeader(await client.request({ method: 'eth_getBlockByHash', params: [hash, false] }))
}

async function blockByNumber(client: PublicClient, block: Hex | 'latest' | 'safe' | 'finalized') {
  return toHeader(await client.request({ method: 'eth_getBlockByNumber', params: [block, false] }))
}

function toHeader(
  block: {
    number: Hex | null
    hash: Hash | null
    parentHash: Hash
    timestamp: Hex
    transactions: readonly unknown[]
  } | null,
): FetchedHeader | undefined {
  if (!block?.hash || block.number === null) return undefined
  return {
    number: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestampMs: Number(block.timestamp) * 1000,
    mayHaveLogs: block.transactions.length > 0,
  }
}

async function getLogs(
  client: PublicClient,
  registry: Address,
  where: { blockHash: Hash } | { fromBlock: Hex; toBlock: Hex },
): Promise<RegistryLog[]> {
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
