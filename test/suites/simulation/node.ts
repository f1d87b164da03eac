import { decodeFunctionData, encodeFunctionResult, zeroAddress, zeroHash } from 'viem'
import { kindOfCode } from '#lib/chain/publication-calldata.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { Hash, Hex } from '#lib/protocol/entity.ts'
import { type Block, type Chain, type Log, REGISTRY, type View } from './chain.ts'

/** In what nodes of different makes differ. */
export interface NodeHabits {
  /** Widest range of blocks that `eth_getLogs` answers for. */
  readonly logRange: 1 | 100 | 10_000
  /** Knows `safe` and `finalized`. */
  readonly tags: boolean
  /** Choices between two reads of its tags. */
  readonly tagsEvery: number
  /** Still finds blocks by hash that are not in its chain any more. */
  readonly remembersBranches: boolean
  /** Answers a question about an unknown block with an empty list instead of an error. */
  readonly emptyForUnknown: boolean
}

/** Answer of a node in place of a result. */
export class NodeError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Answers one JSON-RPC call from one version of the chain, in the words of a common node. */
export function answer(
  chain: Chain,
  view: View,
  habits: NodeHabits,
  { method, params }: { readonly method: string; readonly params: readonly unknown[] },
): unknown {
  switch (method) {
    case 'eth_chainId':
      return '0x7a69'
    case 'eth_blockNumber':
      return hex(view.head.number)
    case 'eth_getBlockByNumber':
      return blockAnswer(byTag(view, habits, params[0] as string))
    case 'eth_getBlockByHash':
      return blockAnswer(byHash(chain, view, habits, params[0] as Hash))
    case 'eth_getLogs':
      return logs(chain, view, habits, params[0] as LogFilter)
    case 'eth_getTransactionByBlockHashAndIndex':
      return transaction(byHash(chain, view, habits, params[0] as Hash), Number(params[1]))
    case 'eth_getCode':
      return code(view, params[0] as Hex)
    case 'eth_call':
      return entry(view, (params[0] as { readonly data: Hex }).data)
    default:
      throw new NodeError(-32601, `the method ${method} does not exist`)
  }
}

interface LogFilter {
  readonly address: Hex
  readonly blockHash?: Hash
  readonly fromBlock?: Hex
  readonly toBlock?: Hex
}

function hex(n: number): Hex {
  return `0x${n.toString(16)}`
}

function byTag(view: View, habits: NodeHabits, tag: string): Block | undefined {
  if (tag === 'latest') return view.head
  if (tag === 'safe' || tag === 'finalized') {
    if (!habits.tags) throw new NodeError(-32602, `invalid argument 0: unknown tag ${tag}`)
    return view.head.path[view[tag]]
  }
  return view.head.path[Number(tag)]
}

function byHash(chain: Chain, view: View, habits: NodeHabits, hash: Hash): Block | undefined {
  const block = chain.blocks.get(hash)
  if (block === undefined || block.number > view.head.number) return undefined
  return habits.remembersBranches || view.head.path[block.number] === block ? block : undefined
}

function blockAnswer(block: Block | undefined) {
  return block
    ? {
        number: hex(block.number),
        hash: block.hash,
        parentHash: block.parentHash,
        timestamp: hex(block.timestampS),
        transactions: block.transactions.map(({ hash }) => hash),
      }
    : null
}

function logs(chain: Chain, view: View, habits: NodeHabits, filter: LogFilter) {
  if (filter.address.toLowerCase() !== REGISTRY) return []
  if (filter.blockHash !== undefined) {
    const block = byHash(chain, view, habits, filter.blockHash)
    if (block) return block.logs.map((log) => logAnswer(block, log))
    if (habits.emptyForUnknown) return []
    throw new NodeError(-32000, 'unknown block')
  }
  const from = Number(filter.fromBlock)
  const to = Number(filter.toBlock)
  if (to - from + 1 > habits.logRange) {
    throw new NodeError(-32602, `query exceeds the range of ${habits.logRange} blocks`)
  }
  // Beyond its head a node returns nothing, without an error.
  return view.head.path.slice(from, to + 1).flatMap((block) => block.logs.map((log) => logAnswer(block, log)))
}

function logAnswer(block: Block, { topics, data, transaction: { hash }, txIndex, logIndex }: Log) {
  return {
    address: REGISTRY,
    blockHash: block.hash,
    blockNumber: hex(block.number),
    transactionHash: hash,
    transactionIndex: hex(txIndex),
    logIndex: hex(logIndex),
    topics,
    data,
    removed: false,
  }
}

function transaction(block: Block | undefined, index: number) {
  const there = block?.transactions[index]
  return there ? { hash: there.hash, input: there.input } : null
}

function code({ head }: View, address: Hex): Hex {
  if (address.toLowerCase() === REGISTRY) return '0x01'
  for (const registered of head.state.values()) if (registered.address === address) return registered.code
  return '0x'
}

/** `entry` of the registry. */
function entry({ head }: View, data: Hex): Hex {
  const { args } = decodeFunctionData({ abi: registryAbi, data })
  const [kind, name] = args as readonly [number, string]
  const found = head.state.get(`${kindOfCode(kind)}/${name}`)
  const { address = zeroAddress, owner = zeroAddress, artifact } = found ?? {}
  const argsCount = artifact && artifact.kind !== 'connector' ? artifact.argsCount : 0
  return encodeFunctionResult({
    abi: registryAbi,
    functionName: 'entry',
    result: [address, owner, argsCount, artifact?.contentHash ?? zeroHash],
  })
}
