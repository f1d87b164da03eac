import type { Job } from '#lib/core/context/job.ts'
import { collectGarbage, deleteExpired, sweepGarbage } from '#lib/core/worlds/collect-garbage.ts'
import { newInstance } from './heartbeat.ts'
import { checkSources, checkSourcesUntil } from './source-checks.ts'

/** Jobs of the worker besides indexing, without those of the features. */
export const coreJobs: readonly Job[] = [
  {
    name: 'sources',
    run: checkSources,
    runDue: (services, signal) => checkSourcesUntil(services, newInstance(), signal),
    backlog: {
      name: 'sources',
      count: async ({ sql }) => {
        const [row] = await sql<{ open: number }[]>`
          select count(*)::int as open from source_checks where state = 'open'`
        return row?.open ?? 0
      },
    },
  },
  {
    name: 'garbage',
    run: sweepGarbage,
    runDue: async (services) => {
      await deleteExpired(services)
      await collectGarbage(services)
    },
  },
]
