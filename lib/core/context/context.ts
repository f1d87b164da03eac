import type { Logger } from 'pino'
import type { ChainAccess } from '#lib/chain/access.ts'
import type { BundleChecker } from '#lib/compute/bundle/checked-bundle.ts'
import type { Pictures } from '#lib/compute/pictures/pool.ts'
import type { Explainer } from '#lib/compute/simulator/explainer.ts'
import type { Simulator } from '#lib/compute/simulator/simulator.ts'
import type { Compiler } from '#lib/compute/solidity/compiler.ts'
import type { PoolLoad } from '#lib/compute/threads/bounded-pool.ts'
import type { Tailer } from '#lib/core/feed/tailer.ts'
import type { EngineCounters } from '#lib/engine/steps/translation-cache.ts'
import type { BlobStore } from '#lib/platform/blobs/blob-store.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Database } from '#lib/platform/db/client.ts'
import type { MemoryBudget } from '#lib/platform/limits/memory-budget.ts'
import type { Places } from '#lib/platform/limits/places.ts'
import type { Principal } from '#lib/platform/limits/principal.ts'
import type { RateLimiter } from '#lib/platform/limits/rate-limiter.ts'
import type { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import type { Address } from '#lib/protocol/entity.ts'

/** Services of a process, created once by `lib/server/services.ts`. Verbs take the subset they need. */
export interface Services {
  readonly config: Config
  readonly db: Database
  /** Undefined without a configured chain. */
  readonly chain: ChainAccess | undefined
  readonly compiler: Compiler
  readonly simulator: Simulator
  /** Traces runs step by step, on the simulator's threads. */
  readonly explainer: Explainer
  /** Use of this process by each client. */
  readonly ledger: UsageLedger
  /** Counts costly requests by account and client address. */
  readonly rateLimiter: RateLimiter
  /** Schedulers of what requests share, besides threads. */
  readonly places: Places
  /** Bounds the bytes of request bodies and of simulations' artifacts, from their arrival to the end of the work on them. */
  readonly memory: MemoryBudget
  /** Files of Worlds, by hash. */
  readonly blobs: BlobStore
  readonly bundles: BundleChecker
  readonly pictures: Pictures
  /** Load of the worker pools; undefined before the first task. */
  readonly pools: Readonly<Record<'compile' | 'simulate' | 'bundleCheck', () => PoolLoad | undefined>>
  /** Counters of the engine; undefined before the first run. */
  readonly engine: () => EngineCounters | undefined
  /** Follows the outbox of the feed for all streams of the process. */
  readonly tailer: Tailer
  readonly clock: () => Date
  readonly log: Logger
}

/** Session of the services API. */
export interface Session {
  readonly id: string
  readonly address: Address
  readonly roles: readonly Role[]
}

export type Role = 'user' | 'admin' | 'moderator'

/** Authenticated account of a request. */
export interface Identity {
  readonly address: Address
  /** Whether the account is older than some days, so that it counts apart from its client address. */
  readonly isEstablished?: boolean
  /** Services API only. */
  readonly session?: Session
}

/** Services with the state of one request: what verbs of the APIs receive. */
export interface Context extends Services {
  readonly requestId: string
  /** Account of the access token; verbs that need it call `requireCaller`. */
  readonly caller: Address | undefined
  /** Session of the request; verbs that need it call `requireSession`. */
  readonly session: Session | undefined
  readonly signal: AbortSignal
  /** Rate-limit key of the client address; undefined for programs on this machine and for pages. */
  readonly client?: string | undefined
  /** Keys that its use counts under. */
  readonly principal?: Principal | undefined
}
