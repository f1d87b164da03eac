import type { Database } from '#lib/platform/db/client.ts'
import type { Services } from './context.ts'

/** Background work of the worker, which a step without a worker process does as well. */
export interface Job {
  readonly name: string
  /** Works on connections of its own until the signal aborts. Logs failures and retries. */
  readonly run: (parts: Pick<Services, 'config' | 'log' | 'clock'>, signal: AbortSignal) => Promise<void>
  /** Does what is due until nothing is, or the signal aborts. */
  readonly runDue: (services: Services, signal: AbortSignal) => Promise<void>
  /** Work that is left, under its name in the report of a step. */
  readonly backlog?: { readonly name: string; readonly count: (db: Database) => Promise<number> }
}
