import { createPublicClient, http, type PublicClient } from 'viem'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { readProvider } from './provider.ts'
import { CARRY_TRACE, tracedTransport } from './traced-transport.ts'

/** What of the configuration chain access needs. */
export interface ChainConfig {
  readonly chainRpcUrl?: string | undefined
  readonly chainId?: number | undefined
  readonly registryAddress?: string | undefined
  readonly runnerAddress?: string | undefined
  /** Bytes of the particles of one run, as JSON. */
  readonly maxAnswerBytes?: number | undefined
}

/** One configured chain with the two contracts this network consists of. */
export interface ChainAccess {
  /** Throws `Failure('chain_unavailable')` while neither configuration nor node has told it. */
  readonly chainId: number
  readonly registry: Address
  readonly runner: Address
  /** Short reads: batched, retried, ten seconds at most. */
  readonly public: PublicClient
  /** The same for a read that somebody waits for: sent at once, by itself. */
  readonly direct: PublicClient
  /** Heavy `eth_call`s: one request each, answers as large as runs may be, no retry (the caller bounds the time). */
  readonly heavy: PublicClient
  /**
   * Resolves once the node has been seen to serve the configured chain with code at both contracts; asked again
   * until that succeeds, remembered afterwards. Throws `Failure('chain_unavailable')` with the reason.
   */
  verify(): Promise<void>
}

const READS = { timeout: 10_000, retryCount: 2, retryDelay: 100 }
const HEAVY_TIMEOUT_MS = 60_000
const DEFAULT_ANSWER_BYTES = 32 * 1024 * 1024
/** A value takes eight hexadecimal digits from the node and two to eleven characters in JSON, a path twice its length. */
const HEAVY_SHARE = 2

/**
 * Prepares access to the configured chain without touching it, so that the site starts while the chain is down.
 *
 * @returns undefined when no chain is configured at all.
 */
export const connectChain = async (config: ChainConfig): Promise<ChainAccess | undefined> => {
  const { chainRpcUrl, registryAddress, runnerAddress, maxAnswerBytes = DEFAULT_ANSWER_BYTES } = config
  if (!chainRpcUrl || !registryAddress || !runnerAddress) return undefined
  const registry = registryAddress.toLowerCase() as Address
  const runner = runnerAddress.toLowerCase() as Address
  const client = createPublicClient({
    // No multicall: batching JSON-RPC requests needs no contract on the chain.
    transport: tracedTransport(
      http(chainRpcUrl, {
        ...READS,
        batch: { batchSize: 64, wait: 0 },
        onFetchRequest: CARRY_TRACE,
      }),
    ),
    cacheTime: 0,
  })
  const direct = createPublicClient({
    transport: tracedTransport(http(chainRpcUrl, { ...READS, onFetchRequest: CARRY_TRACE })),
    cacheTime: 0,
  })
  const heavy = createPublicClient({
    transport: tracedTransport(
      http(chainRpcUrl, {
        timeout: HEAVY_TIMEOUT_MS,
        retryCount: 0,
        maxResponseBodySize: HEAVY_SHARE * maxAnswerBytes,
        onFetchRequest: CARRY_TRACE,
      }),
    ),
    cacheTime: 0,
  })

  let chainId = config.chainId
  let verified: Promise<void> | undefined
  const check = async (): Promise<void> => {
    const [actual, registryCode, runnerCode] = await readProvider('reach the chain', () =>
      Promise.all([
        client.getChainId(),
        client.getCode({ address: registry }),
        client.getCode({ address: runner }),
      ]),
    )
    if (chainId !== undefined && chainId !== actual) {
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
    direct,
    heavy,
    verify() {
      verified ??= check().catch((error: unknown) => {
        verified = undefined
        throw error
      })
      return verified
    },
  }
}
