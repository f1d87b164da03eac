import { chainFacts } from '#lib/protocol/chains.ts'
import type { ChainAccess } from '../access.ts'
import type { NodeStatus } from './pool.ts'
import type { NodeFacts } from './probe.ts'
import { nodeWords } from './words.ts'

/** A node in words, for anyone to read. */
export interface DescribedNode extends Omit<NodeStatus, 'words' | 'facts' | 'disagreement'> {
  /** Message of the node about its trouble. */
  readonly words: string | undefined
  readonly client: string | undefined
  readonly batchSize: number | undefined
  readonly logRange: number | undefined
  readonly stateBlocks: number | 'all' | undefined
  readonly newHeads: boolean | undefined
  readonly sentences: readonly string[]
}

/** Describes the nodes of a chain, and starts a probe of them when one is due. */
export function describeNodes(chain: ChainAccess | undefined): DescribedNode[] {
  if (chain === undefined) return []
  void chain.nodes.probe(chain.registry)
  return chain.nodes.status().map(({ words, facts, disagreement, ...node }) => ({
    ...node,
    words: words === undefined ? undefined : nodeWords(words),
    client: facts?.client,
    batchSize: facts?.batchSize,
    logRange: facts?.logRange,
    stateBlocks: facts?.stateBlocks,
    newHeads: facts?.newHeads,
    sentences: [
      ...(disagreement === undefined
        ? []
        : [`It said something else than another node about ${disagreement} in the last ten minutes.`]),
      ...(facts === undefined ? [] : describeFacts(facts)),
    ],
  }))
}

/** Clocks may differ by so much. */
const MAX_SKEW_MS = 10_000
/** Runs of large connectors take some hundred million gas; a smaller limit is worth a word. */
const AMPLE_CALL_GAS = 1_000_000_000n
const SMALL_LOG_RANGE = 100

/** Says in sentences what a node can do, and what to set where it lacks something. */
export function describeFacts(facts: NodeFacts): string[] {
  const { client, batchSize, logRange, stateBlocks, proofs, callGas, skewMs } = facts
  const sentences = [
    client === undefined ? undefined : `It is ${client}.`,
    facts.batchSize === 1
      ? 'It takes one call a request: everything works, with more requests.'
      : `It takes ${batchSize} calls in one request.`,
    logRange === undefined
      ? undefined
      : `It returns the events of ${blocks(logRange)} at a time${logRange < SMALL_LOG_RANGE ? ': reading the past of the chain takes long, so set DEPLOYMENT_BLOCK, or add a node with longer ranges' : ''}.`,
    stateSentence(stateBlocks, blockTimeOf(facts)),
    tagSentence(facts),
    callGas === undefined || callGas >= AMPLE_CALL_GAS
      ? undefined
      : `It gives a run at most ${callGas.toLocaleString('en')} gas: larger runs are refused as out of gas.`,
    newHeadsSentence(facts.newHeads),
    proofs ? undefined : 'It serves no proofs of the state (eth_getProof).',
    skewMs === undefined || Math.abs(skewMs) <= MAX_SKEW_MS
      ? undefined
      : `Its clock is ${duration(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the one of this server: set one of them.`,
  ]
  return sentences.filter((each) => each !== undefined)
}

function stateSentence(stateBlocks: NodeFacts['stateBlocks'], blockTimeMs: number | undefined): string {
  if (stateBlocks === 'all')
    return 'It keeps the state of every block that was tried: runs can be re-executed.'
  if (stateBlocks === 0)
    return 'It keeps the state of the newest block only: runs cannot be re-executed. Add an archive node.'
  const time = blockTimeMs === undefined ? '' : ` for ${duration(stateBlocks * blockTimeMs)}`
  return `It keeps ${blocks(stateBlocks)} of state: runs can be re-executed${time || ' while their block is among these'}.`
}

function tagSentence({ chainId, safeTag, finalizedTag }: NodeFacts): string | undefined {
  if (safeTag && finalizedTag) return undefined
  const lacking = safeTag ? 'finalized' : finalizedTag ? 'safe' : 'safe and finalized'
  const { safe, finalized } = chainFacts(chainId).depths
  return `It has no tags for ${lacking} blocks: ${blocks(safe)} below the head count as safe and ${blocks(finalized)} as finalized, unless SAFE_DEPTH and FINALIZED_DEPTH say otherwise.`
}

function newHeadsSentence(newHeads: boolean | undefined): string | undefined {
  if (newHeads === undefined) return undefined
  return newHeads
    ? 'It announces new blocks over a WebSocket: CHAIN_WS_URL makes the worker listen there.'
    : 'It offers no WebSocket at this address: the worker polls, unless CHAIN_WS_URL leads to another one.'
}

function blockTimeOf({ chainId, blockTimeMs }: NodeFacts): number | undefined {
  return chainFacts(chainId).blockTimeMs ?? blockTimeMs
}

function blocks(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'block' : 'blocks'}`
}

/** `4 minutes`, to the largest unit that has at least two. */
function duration(ms: number): string {
  const units = [
    [86_400_000, 'days'],
    [3_600_000, 'hours'],
    [60_000, 'minutes'],
  ] as const
  const [size, name] = units.find(([size]) => ms >= 2 * size) ?? [1000, 'seconds']
  return `${Math.round(ms / size)} ${name}`
}
