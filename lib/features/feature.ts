import type { Table } from 'drizzle-orm'
import type { Job } from '#lib/core/context/job.ts'
import type { DeleteRows } from '#lib/core/people/account-status.ts'
import type { FeatureSettings } from '#lib/platform/setting.ts'
import type { Operation } from '#lib/server/http/operation.ts'

/** An addition of Weft to its specification, in a folder of its own. */
export interface Feature {
  /** The name of its folder. */
  readonly name: string
  /** Operations of the APIs and of the site's own pages; those with a `tool` are tools for agents. */
  readonly operations?: readonly Operation[]
  readonly jobs?: readonly Job[]
  /** Value of its `settings.ts`, which `lib/features/config.ts` lists. */
  readonly settings?: FeatureSettings
  /** Tables of its `schema.ts`. */
  readonly tables?: readonly Table[]
  /** Needed where a table refers to accounts: called when one is deleted, within the transaction. */
  readonly deleteRows?: DeleteRows
}
