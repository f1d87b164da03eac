import type { Job } from '#lib/core/context/job.ts'
import type { Operation } from '#lib/server/http/operation.ts'

/** What Weft adds to its specification, in a folder of its own. */
export interface Feature {
  /** The name of its folder. */
  readonly name: string
  /** Of the APIs and of the site's own pages. */
  readonly operations?: readonly Operation[]
  readonly jobs?: readonly Job[]
}
