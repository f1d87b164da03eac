import type { Job } from '#lib/core/context/job.ts'
import { coreJobs } from '#lib/core/indexer/jobs.ts'
import { features } from '#lib/features/index.ts'

/** Work of the worker besides indexing: in a process of its own, or by steps. */
export const allJobs: readonly Job[] = [...coreJobs, ...features.flatMap(({ jobs = [] }) => jobs)]
