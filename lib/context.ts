import type { Logger } from 'pino'
import type { ChainAccess } from './chain/access.ts'
import type { Config } from './config.ts'
import type { Database } from './db/client.ts'
import type { Address } from './domain/entity.ts'
import type { Simulator } from './simulator/simulator.ts'
import type { Compiler } from './solidity/compiler.ts'

/** Everything a verb may touch. Built once a process, then narrowed to a request. */
export interface Services {
  readonly config: Config
  readonly db: Database
  /** Absent when no chain is configured. */
  readonly chain: ChainAccess | undefined
  readonly compiler: Compiler
  readonly simulator: Simulator
  readonly clock: () => Date
  readonly log: Logger
}

export interface Context extends Services {
  readonly requestId: string
  /** The account a valid token names; verbs that need one call `requireCaller`. */
  readonly caller: Address | undefined
  readonly signal: AbortSignal
}
