import { z } from 'zod'
import {
  address,
  amount,
  blockTag,
  chainId,
  count,
  explorerUrl,
  flag,
  gas,
  httpUrl,
  httpUrls,
  integer,
  milliseconds,
  port,
  privateKey,
  text,
  webSocketUrl,
} from './config-checks.ts'
import { env } from './setting.ts'

/** The chain and its contracts, what runs and publications on it may cost, and how the worker follows it. */
export const CHAIN_SETTINGS = {
  /** Nodes of the server, separated by commas, the preferred one first. Without any, what needs a chain responds with 503. */
  chainRpcUrl: env('CHAIN_RPC_URL', httpUrls.optional(), { secret: true }),
  /** Nodes of the worker. Default: those of the server. */
  workerRpcUrl: env('WORKER_RPC_URL', httpUrls.optional(), { secret: true }),
  /** Limits of each node. What is not set is probed, or has no limit. */
  node: {
    /** Calls in one batch. */
    batchSize: env('NODE_BATCH_SIZE', integer(1, 1000).optional()),
    /** Blocks of one `eth_getLogs`. */
    logRange: env('NODE_LOG_RANGE', integer(1, 1_000_000).optional()),
    /** Events in the answer to one `eth_getLogs`. */
    logResults: env('NODE_LOG_RESULTS', integer(1, 1_000_000).optional()),
    /** Blocks below the head whose state the node has. */
    stateBlocks: env('NODE_STATE_BLOCKS', integer(0, 1_000_000_000).optional()),
    /** Gas of one `eth_call`. */
    callGas: env('NODE_CALL_GAS', gas.optional()),
    /** Whether it knows the block tags `safe` and `finalized`. */
    tags: env('NODE_TAGS', flag.optional()),
    /** Whether it serves `eth_getProof`. */
    proofs: env('NODE_PROOFS', flag.optional()),
    /** Whether it announces new heads over a WebSocket. */
    newHeads: env('NODE_NEW_HEADS', flag.optional()),
    /** Nodes of the worker that must say the same of the head and of events. */
    quorum: env('NODE_QUORUM', integer(1, 2).default(1)),
    /** Calls that one process sends in a second. */
    perSecond: env('NODE_CALLS_PER_SECOND', count.optional()),
  },
  /** WebSocket of the node for subscriptions to new heads; without it the worker only polls. */
  chainWsUrl: env('CHAIN_WS_URL', webSocketUrl.optional(), { secret: true }),
  /** The node must serve this chain id; unchecked by default. */
  chainId: env('CHAIN_ID', chainId.optional()),
  /** Name of the chain; known for some ids, see `lib/protocol/chains.ts`. */
  chainName: env('CHAIN_NAME', z.string().max(60, 'must be at most 60 characters').optional()),
  /** Symbol of the currency that pays for gas; known for some ids. */
  chainCurrency: env('CHAIN_CURRENCY', text(/^[A-Za-z0-9.$]{1,11}$/, 'must be a symbol like ETH').optional()),
  /** Node of browsers and wallets. Public: it must not contain a secret. */
  publicRpcUrl: env('PUBLIC_RPC_URL', httpUrl.optional()),
  /** Block explorer without a trailing slash; known for some ids. */
  explorerUrl: env('EXPLORER_URL', explorerUrl.optional()),
  /** Port of the embedded chain. Default: 8545. */
  chainPort: env('CHAIN_PORT', port.optional()),
  /** Address of the registry of the network. */
  registryAddress: env('REGISTRY_ADDRESS', address.optional()),
  /** Address of the contract that runs connectors on chain. */
  runnerAddress: env('RUNNER_ADDRESS', address.optional()),
  /** First block that can contain an event of the registry. */
  deploymentBlock: env('DEPLOYMENT_BLOCK', integer(0, 999_999_999_999_999).optional()),
  /** Block that runs on chain read. */
  executeBlockTag: env('EXECUTE_BLOCK_TAG', blockTag.default('latest')),
  /** Limits of one run on chain. */
  execute: {
    /** Time in milliseconds. */
    timeoutMs: env('EXECUTE_TIMEOUT_MS', milliseconds.default(30_000)),
    /** Gas. Default: the node's limit. */
    gasLimit: env('EXECUTE_GAS_LIMIT', gas.optional()),
  },
  /** Whether the API prepares and sends publications. */
  publicationEnabled: env('PUBLICATION_ENABLED', flag.default(true)),
  /** An account of the operator that pays for others' publications, and what it may spend in a day (UTC), in wei. */
  sponsor: {
    /** Its private key; without one, nothing is paid for. */
    key: env('SPONSOR_PRIVATE_KEY', privateKey.optional(), { secret: true }),
    /** For all accounts. */
    perDay: env('SPONSOR_PER_DAY', amount.default(10n ** 16n)),
    /** For one publishing account. */
    perAccount: env('SPONSOR_PER_ACCOUNT', amount.default(2n * 10n ** 15n)),
    /** For one client address. */
    perClient: env('SPONSOR_PER_CLIENT', amount.default(4n * 10n ** 15n)),
  },
  /** Paymaster service (ERC-7677) that wallets are given with a batch of calls. Public: pages show it to wallets. */
  paymasterUrl: env('PAYMASTER_URL', httpUrl.optional()),

  /** Settings of the worker that follows the chain. */
  worker: {
    /** Polling interval in milliseconds. Default: 250 on development chains, else 15,000 (`docs/following.md`). */
    pollMs: env('WORKER_POLL_MS', integer(10, 600_000).optional()),
    /** Blocks below the head, where the node has no `safe` tag. Default: by the chain. */
    safeDepth: env('SAFE_DEPTH', integer(0, 1_000_000).optional()),
    /** Blocks below the head, where the node has no `finalized` tag. Default: by the chain. */
    finalizedDepth: env('FINALIZED_DEPTH', count.optional()),
    /** Days that deltas stay available to streams. */
    outboxRetentionDays: env('OUTBOX_RETENTION_DAYS', integer(1, 36_500).default(30)),
    /** Age in seconds of the oldest unread block above which the feed is degraded. */
    lagLimitSeconds: env('LAG_LIMIT_SECONDS', count.default(60)),
  },
  /** Lag in seconds above which `/readyz` responds with 503. */
  readyLagLimitSeconds: env('READY_LAG_LIMIT_SECONDS', integer(1, 10_000_000).default(300)),
}
