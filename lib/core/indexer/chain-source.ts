import { numberToHex, type PublicClient } from 'viem'
import type { ChainAccess } from '#lib/chain/access.ts'
import { explains, mayHold } from '#lib/chain/bloom.ts'
import { chainUnavailable, NodeRefusal, readProvider, viaProvider } from '#lib/chain/provider.ts'
import { PUBLISHED_TOPIC } from '#lib/chain/published-event.ts'
import { decodeEntry, encodeEntryCall } from '#lib/chain/registry-reads.ts'
import type { Config } from '#lib/platform/config.ts'
import { chainFacts } from '#lib/protocol/chains.ts'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { CutOff, inPieces, openRequestSize } from './request-size.ts'

/** A block as it is stored. */
export interface Header {
  readonly number: number
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestampMs: number
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
  readonly head: Header
  /** Undefined when the node did not answer, or was not asked; the known height stays. */
  readonly safe: number | undefined
  /** Newest finalized block of the chain that ends in `head`; undefined as `safe`. */
  readonly finalized: Header | undefined
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
  /** @param tags Reads the safe and finalized heights too, even if they were read a short time ago. */
  heads(tags: boolean): Promise<Heads>
  /** Headers by number, in the order of the arguments; fewer when the node lacks one of them. */
  headers(numbers: readonly number[]): Promise<Header[]>
  headerByHash(hash: Hash): Promise<Header | undefined>
  /**
   * Events of a range with what anchors it to a chain: `before` and `after` are its last block, read before and after
   * the events, `parent` is the block below it. Throws the client's errors: nodes accept ranges of very different length.
   *
   * @param options.linked The parent is known from the last block and is not read.
   * @param options.heads Reads the heads too, from the same node.
   */
  range(from: number, to: number, options: RangeOptions): Promise<AnchoredRange>
  /**
   * Reads all logs of a block that may hold events by its header, and gave none: the filter of a header also fits by
   * chance, and then these logs show it. A node that refuses so many logs is believed.
   *
   * @throws EventsMissing
   */
  requireNone(block: Pick<Header, 'number' | 'hash'>): Promise<void>
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

export interface RangeOptions {
  readonly linked: boolean
  readonly heads: boolean
}

/** Events of a range of blocks; a block is undefined when the node lacks it, or it was not read. */
export interface AnchoredRange {
  readonly heads: Heads | undefined
  readonly parent: Header | undefined
  readonly before: Header | undefined
  /** In chain order. */
  readonly logs: readonly RegistryLog[]
  readonly after: Header | undefined
  /** The last block may hold events by its header, one node alone says that it has none. */
  readonly doubtful: boolean
}

/** The header of a block speaks of events that its node does not give. */
export class EventsMissing extends Error {
  override readonly name = 'EventsMissing'
  readonly block: number

  constructor(block: number) {
    super(`block ${block} has events of the registry by its header, and the node gives none`)
    this.block = block
  }
}

/** Interval in which a source reads the safe and finalized heights. */
export interface TagsPace {
  readonly everyMs: number
  readonly nowMs: () => number
}

/** Calls in one JSON-RPC batch; the client splits longer ones. */
const BATCH_CALLS = 64

/** @param pace Default: the heights are read with every head. */
export function chainSource(chain: ChainAccess, depths: FinalityDepths, pace?: TagsPace): ChainSource {
  const { agreed: client, registry } = chain
  // With NODE_QUORUM two nodes have said the same.
  const alone = client === chain.public
  let tagsDueMs = Number.NEGATIVE_INFINITY
  const { logResults } = chain.nodes
  const unsupported: TagReader = async () => 'unsupported'
  const tags = chain.nodes.tags
    ? { safe: tagReader(client, 'safe'), finalized: tagReader(client, 'finalized') }
    : { safe: unsupported, finalized: unsupported }
  // One size for each kind of request, because nodes limit the size of answers.
  const sizes = {
    headers: openRequestSize(BATCH_CALLS, BATCH_CALLS),
    // Few: one can be as large as a hundred codes, and an answer is parsed in one go.
    inputs: openRequestSize(8, 8),
    deployed: openRequestSize(BATCH_CALLS / 2 - 1, BATCH_CALLS / 2 - 1),
  }
  const readDeployed = (entities: readonly EntityReference[]) =>
    Promise.all(entities.map((entity) => deployedEntity(client, registry, entity)))
  const readHeads = async (now: boolean): Promise<Heads> => {
    const due = now || pace === undefined || pace.nowMs() >= tagsDueMs
    const newestHeads = await readProvider('read the head', () =>
      heads(client, due ? tags : undefined, depths),
    )
    if (due && pace !== undefined) tagsDueMs = pace.nowMs() + pace.everyMs
    return newestHeads
  }
  const headerAt = (number: number) => blockByNumber(client, numberToHex(number))
  return {
    heads: readHeads,
    async headers(numbers) {
      const headers: Header[] = []
      for await (const { answer = [undefined] } of inPieces(sizes.headers, numbers, 'read blocks', (piece) =>
        Promise.all(piece.map(headerAt)),
      )) {
        for (const header of answer) {
          if (header === undefined) return headers
          headers.push(header)
        }
      }
      return headers
    },
    headerByHash: (hash) => readProvider('read a block', () => blockByHash(client, hash)),
    async range(from, to, { linked, heads: withHeads }) {
      // One JSON-RPC batch in this order, so that one node answers all of it.
      const [newestHeads, before, parent, logs, last] = await Promise.all([
        withHeads ? readHeads(true) : undefined,
        headerAt(to),
        linked || from === 0 ? undefined : headerAt(from - 1),
        getLogs(client, registry, from, to),
        client.request({ method: 'eth_getBlockByNumber', params: [numberToHex(to), false] }),
      ])
      // Of one block there is no smaller part to ask for.
      if (to > from && logResults !== undefined && logs.length >= logResults) throw new CutOff(logResults)
      const after = toHeader(last)
      const doubtful =
        alone &&
        logs.every(({ blockHash }) => blockHash !== after?.hash) &&
        mayHold(last?.logsBloom, [registry, PUBLISHED_TOPIC])
      return { heads: newestHeads, before, parent, logs, after, doubtful }
    },
    async requireNone({ number, hash }) {
      const logs = await viaProvider('read all events of a block', () =>
        client.request({ method: 'eth_getLogs', params: [{ blockHash: hash }] }),
      ).catch((error: unknown) => {
        if (error instanceof NodeRefusal) return undefined
        throw error
      })
      if (logs === undefined) return
      const own = logs.some(
        ({ address, topics }) => address.toLowerCase() === registry && topics[0] === PUBLISHED_TOPIC,
      )
      if (own || !explains(logs, [registry, PUBLISHED_TOPIC])) throw new EventsMissing(number)
    },
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
      const deployedEntities: DeployedEntity[] = []
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
        deployedEntities.push(...answer)
      }
      return deployedEntities
    },
  }
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

/** Returns the block of a tag, `unsupported` when the node has no such tag, undefined when it failed to answer. */
type TagReader = () => Promise<Header | 'unsupported' | undefined>

async function heads(
  client: PublicClient,
  tags: { readonly safe: TagReader; readonly finalized: TagReader } | undefined,
  depths: FinalityDepths,
): Promise<Heads> {
  // The head last: what a node calls final is a part of every chain that it shows later, not of those it showed before.
  const [safe, finalized, head] = await Promise.all([
    tags?.safe(),
    tags?.finalized(),
    blockByNumber(client, 'latest'),
  ])
  if (head === undefined) throw chainUnavailable('read the head')
  const below = (depth: number) => Math.max(0, head.number - depth)
  return {
    head,
    safe: safe === 'unsupported' ? below(depths.safeDepth) : safe?.number,
    finalized:
      finalized === 'unsupported' ? await ancestorAt(client, head, below(depths.finalizedDepth)) : finalized,
  }
}

/** Reads a block below a head; undefined when the node's chain does not end in that head any more. */
async function ancestorAt(client: PublicClient, head: Header, number: number): Promise<Header | undefined> {
  const [before, header, after] = await Promise.all(
    [head.number, number, head.number].map((each) => blockByNumber(client, numberToHex(each))),
  )
  return before?.hash === head.hash && after?.hash === head.hash ? header : undefined
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
      return header
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
  } | null,
): Header | undefined {
  if (!block?.hash || block.number === null) return undefined
  return {
    number: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestampMs: Number(block.timestamp) * 1000,
  }
}

async function getLogs(
  client: PublicClient,
  registry: Address,
  from: number,
  to: number,
): Promise<RegistryLog[]> {
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [
      {
        address: registry,
        topics: [PUBLISHED_TOPIC],
        fromBlock: numberToHex(from),
        toBlock: numberToHex(to),
      },
    ],
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
