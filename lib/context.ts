import type { Logger } from 'pino'
import type { ChainAccess } from './chain/access.ts'
import type { Config } from './config.ts'
import type { Database } from './db/client.ts'
import type { Address } from './domain/entity.ts'
import type { Tailer } from './feed/tailer.ts'
import type { BodyRoom } from './limits/body-room.ts'
import type { Gate } from './limits/gate.ts'
import type { Limiter } from './limits/limiter.ts'
import type { Room } from './limits/room.ts'
import type { Explainer } from './simulator/explainer.ts'
import type { EngineReport } from './simulator/pool.ts'
import type { Simulator } from './simulator/simulator.ts'
import type { Compiler } from './solidity/compiler.ts'
import type { PoolLoad } from './threads/bounded-pool.ts'
import type { BlobStore } from './worlds/blob-store.ts'
import type { BundleChecker } from './worlds/bundle/checked-bundle.ts'

/** Everything a verb may touch. Built once a process, then narrowed to a request. */
export interface Services {
  readonly config: Config
  readonly db: Database
  /** Absent when no chain is configured. */
  readonly chain: ChainAccess | undefined
  readonly compiler: Compiler
  readonly simulator: Simulator
  /** Says why a run came out as it did; shares the simulator's threads. */
  readonly explainer: Explainer
  /** Keeps unsaved work from filling the queues that everybody shares. */
  readonly previewGate: Gate
  /** Counts costly requests by account and client address. */
  readonly limiter: Limiter
  /** Requests in work; who finds it full is told so at once. */
  readonly work: Gate
  /** For bodies of requests, while they come and are worked on. */
  readonly bodies: BodyRoom
  /** Streams that are open, by client address. */
  readonly streamRoom: Room
  /** Files of Worlds, by hash. */
  readonly blobs: BlobStore
  readonly bundles: BundleChecker
  /** How busy the thread pools are; undefined before the first task. */
  readonly pools: Readonly<Record<'compile' | 'simulate' | 'bundleCheck', () => PoolLoad | undefined>>
  /** What the engines behind the simulator did; undefined before the first run. */
  readonly engine: () => EngineReport | undefined
  /** The end of the feed's outbox, followed once for all streams of the process. */
  readonly tailer: Tailer
  readonly clock: () => Date
  readonly log: Logger
}

/** A signed-in person of the services API. */
export interface Session {
  readonly id: string
  readonly address: Address
  readonly roles: readonly Role[]
}

export type Role = 'user' | 'admin' | 'moderator'

/** Who sent a request, as far as its token or cookie proves it. */
export interface Identity {
  readonly address: Address
  /** Of the services API only. */
  readonly session?: Session
}

export interface Context extends Services {
  readonly requestId: string
  /** The account a valid token names; verbs that need one call `requireCaller`. */
  readonly caller: Address | undefined
  /** The session behind the request; verbs of the services API that need one call `requireSession`. */
  readonly session: Session | undefined
  readonly signal: AbortSignal
  /** What the client's address is counted under; undefined for programs on this machine and for pages. */
  readonly client?: string | undefined
}
