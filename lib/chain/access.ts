import { createPublicClient, type PublicClient } from 'viem'
import { nodeUrls } from '#lib/platform/config-checks.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { type NodePool, type NodePoolConfig, openNodePool } from './nodes/pool.ts'
import { readProvider } from './provider.ts'

/** Settings of chain access. */
export interface ChainConfig {
  /** Nodes, separated by commas, in the order of preference. */
  readonly chainRpcUrl?: string | undefined
  readonly node?: Omit<NodePoolConfig, 'urls' | 'chainId' | 'wsUrl' | 'log' | 'onCall'>
  readonly chainWsUrl?: string | undefined
  readonly chainId?: number | undefined
  readonly registryAddress?: string | undefined
  readonly runnerAddress?: string | undefined
  /** Bytes of the particles of one run, as JSON. */
  readonly maxAnswerBytes?: number | undefined
}

/** The configured chain with the two contracts of the network. */
export interface ChainAccess {
  /** Throws `Failure('chain_unavailable')` until the configuration or the node provides it. */
  readonly chainId: number
  readonly registry: Address
  readonly runner: Address
  /** Short reads: batched, retried, timeout 10 s. */
  readonly public: PublicClient
  /** The same for what the worker stores: with NODE_QUORUM, two nodes must say it alike. */
  readonly agreed: PublicClient
  /** The same without batching, for latency. */
  readonly direct: PublicClient
  /** Heavy `eth_call`s: not batched, large answers, no retry, timeout 60 s. */
  readonly heavy: PublicClient
  /** The nodes behind all three. */
  readonly nodes: NodePool
  /**
   * Checks that the node serves the configured chain with code at both contracts. Repeated until it succeeds, then
   * cached. Throws `Failure('chain_unavailable')` with the reason.
   */
  verify(): Promise<void>
}

declare const isVerified: unique symbol

/** A chain that passed `verify`, as `verifiedChain` in `lib/core/context` returns it: its id is known, and reads of its contracts mean what they say. */
export interface VerifiedChain extends ChainAccess {
  readonly [isVerified]: true
}

const READS = { timeoutMs: 10_000, retryCount: 2, maxBytes: 10 * 1024 * 1024, slowIsDown: true }
const HEAVY = { timeoutMs: 60_000, retryCount: 0, batch: false, slowIsDown: false }
const DEFAULT_ANSWER_BYTES = 32 * 1024 * 1024
/** Size of a node's answer relative to our JSON: a value is eight hex digits, in JSON two to eleven characters. */
const HEAVY_FACTOR = 2

/**
 * Creates access to the configured chain without a request, so that the site starts while the chain is down.
 *
 * @param watch Takes what becomes of nodes, and each call in the scope of the request that causes it.
 * @returns undefined when no chain is configured at all.
 */
export async function connectChain(
  config: ChainConfig,
  watch: Pick<NodePoolConfig, 'log' | 'onCall'> = {},
): Promise<ChainAccess | undefined> {
  const { chainRpcUrl, registryAddress, runnerAddress, maxAnswerBytes = DEFAULT_ANSWER_BYTES } = config
  if (!chainRpcUrl || !registryAddress || !runnerAddress) return undefined
  const registry = registryAddress.toLowerCase() as Address
  const runner = runnerAddress.toLowerCase() as Address
  const nodes = openNodePool({
    ...config.node,
    ...watch,
    chainId: config.chainId,
    urls: nodeUrls(chainRpcUrl),
    wsUrl: config.chainWsUrl,
  })
  const open = (options: Parameters<NodePool['transport']>[0]): PublicClient =>
    createPublicClient({ transport: nodes.transport(options), cacheTime: 0 })
  // No multicall: batching JSON-RPC requests needs no contract on the chain.
  const client = open({ ...READS, batch: true })
  // The nodes of the site may be fewer than those of the worker.
  const several = nodes.status().length > 1 && (config.node?.quorum ?? 1) > 1
  const agreed = several ? open({ ...READS, batch: true, quorum: true }) : client
  const direct = open({ ...READS, batch: false })
  const heavy = open({ ...HEAVY, maxBytes: HEAVY_FACTOR * maxAnswerBytes })

  let chainId = config.chainId
  let verified: Promise<void> | undefined
  const check = async (): Promise<void> => {
    const [actual, registryCode, runnerCode] = await readProvider('reach the chain', () =>
      Promise.all([
        agreed.getChainId(),
        agreed.getCode({ address: registry }),
        agreed.getCode({ address: runner }),
      ]),
    )
    if (chainId !== undefined && chainId !== actual) {
      watch.log?.error(
        { chain: chainId, served: actual },
        'The node serves another chain than the configured one',
      )
      throw new Failure(
        'chain_unavailable',
        `The chain endpoint serves chain ${actual}, but this server is configured for chain ${chainId}`,
      )
    }
    if (!registryCode || registryCode === '0x') {
      throw new Failure('chain_unavailable', `No registry contract at ${registry} on chain ${actual}`)
    }
    if (!runnerCode || runnerCode === '0x') {
      throw new Failure('chain_unavailable', `No runner contract at ${runner} on chain ${actual}`)
    }
    chainId = actual
  }

  return {
    get chainId() {
      if (chainId === undefined) {
        throw new Failure(
          'chain_unavailable',
          'The chain id is not known yet: the chain endpoint is unavailable',
        )
      }
      return chainId
    },
    registry,
    runner,
    public: client,
    agreed,
    direct,
    heavy,
    nodes,
    verify() {
      verified ??= check().catch((error: unknown) => {
        verified = undefined
        throw error
      })
      return verified
    },
  }
}
