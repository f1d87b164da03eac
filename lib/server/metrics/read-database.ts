import { withTimeout } from 'viem'
import type { Services } from '../../context/context.ts'
import { CHECK_TIMEOUT_MS, memoizeFor, STATUS_TTL_MS } from '../status/memoize.ts'
import type { Reading } from './reading.ts'

/** `application_name` of our own processes; all others are labelled `other`. */
const OURS = /^weft(-[a-z]{1,20}){0,2}$/

/** Reads the connections of all processes to the database; only `weft_database_up` when it does not answer. */
export async function readDatabase(reading: Reading, services: Pick<Services, 'db'>): Promise<void> {
  const facts = await queryDatabase(services)
  reading.gauge('weft_database_up', 'Whether the database answers', facts === undefined ? 0 : 1)
  if (facts === undefined) return
  reading.gauge(
    'weft_database_answer_seconds',
    'Time of a small question, waiting for a free connection included',
    facts.seconds,
  )
  reading.gauge('weft_database_connections_limit', 'Connections the server accepts', facts.limit)
  reading.gauge('weft_database_connections', 'Connections by application and state', facts.connections)
}

interface DatabaseFacts {
  readonly seconds: number
  readonly limit: number
  readonly connections: readonly { labels: { application: string; state: string }; value: number }[]
}

const queryDatabase = memoizeFor(
  STATUS_TTL_MS,
  async ({ db }: Pick<Services, 'db'>): Promise<DatabaseFacts | undefined> => {
    const began = performance.now()
    try {
      const rows = await withTimeout(
        async () => db.sql<{ application: string; state: string; count: number; limit: number }[]>`
          select application_name as application, coalesce(state, 'unknown') as state, count(*)::int as count,
            current_setting('max_connections')::int as limit
          from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' group by 1, 2`,
        { timeout: CHECK_TIMEOUT_MS },
      )
      const seconds = (performance.now() - began) / 1000
      const counts = new Map<string, DatabaseFacts['connections'][number]>()
      for (const { application, state, count } of rows) {
        const labels = { application: OURS.test(application) ? application : 'other', state }
        const key = `${labels.application}/${state}`
        counts.set(key, { labels, value: (counts.get(key)?.value ?? 0) + count })
      }
      return { seconds, limit: rows[0]?.limit ?? 0, connections: [...counts.values()] }
    } catch {
      // `/readyz` and `/status.json` have the reason.
      return undefined
    }
  },
)
