import { Registry } from 'prom-client'
import { withTimeout } from 'viem'
import type { PoolOutcome } from '#lib/compute/threads/bounded-pool.ts'
import type { Services } from '#lib/core/context/context.ts'
import type { EngineCounters } from '#lib/engine/steps/translation-cache.ts'
import { CHECK_TIMEOUT_MS, memoizeFor, STATUS_TTL_MS } from '../status/memoize.ts'
import { readStatus, type Status, type StatusServices } from '../status/read-status.ts'
import { processMetrics } from './process-metrics.ts'
import { openReading, type Reading, type Sample } from './reading.ts'

/** Services to read metrics from; the worker has neither pools nor streams. */
export type MetricsServices = StatusServices & Partial<Pick<Services, 'pools' | 'engine' | 'tailer'>>

/**
 * Renders all metrics of this process in the text format of Prometheus. Metrics that cannot be read are omitted.
 *
 * @param services Undefined when they could not be created; process metrics are rendered even so.
 * @param readMore Adds metrics of the calling program.
 */
export async function renderMetrics(
  services: MetricsServices | undefined,
  readMore?: (reading: Reading) => void,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const { reading, registry } = openReading()
  if (services !== undefined) {
    const { pools, engine, tailer, config } = services
    if (pools !== undefined) readPools(reading, { pools, config })
    if (engine !== undefined) readEngine(reading, engine())
    if (tailer !== undefined) readStreams(reading, { tailer })
    const [status] = await Promise.all([readStatus(services), readDatabase(reading, services)])
    readFeed(reading, status)
  }
  readMore?.(reading)
  const all = Registry.merge([processMetrics().registry, registry])
  return { contentType: all.contentType, text: await all.metrics() }
}

/** Reads heights, lag and problems of the feed. */
export function readFeed(reading: Reading, { feed, degraded }: Status): void {
  reading.gauge(
    'weft_degraded',
    'Reasons why the service is degraded, as /status.json lists them; no series when all is well',
    degraded.map(({ code }) => ({ labels: { code }, value: 1 })),
  )
  reading.gauge(
    'weft_feed_block',
    'Block heights: of the node (head), of the tables (processed), and finality',
    (['head', 'processed', 'safe', 'finalized'] as const).map((height) => ({
      labels: { height },
      value: feed?.[height],
    })),
  )
  reading.gauge('weft_feed_lag_blocks', 'Blocks of the node that are not in the tables', feed?.lagBlocks)
  reading.gauge(
    'weft_feed_lag_seconds',
    'Age of the oldest block that is not in the tables; 0 when there is none',
    feed?.lagSeconds,
  )
  reading.gauge(
    'weft_feed_workers',
    'Living workers by role',
    feed && [
      { labels: { role: 'writer' }, value: feed.writer ? 1 : 0 },
      { labels: { role: 'standby' }, value: feed.standbys },
    ],
  )
  reading.total(
    'weft_feed_reorganisations_total',
    'Reorgs rolled back since the database was filled',
    feed?.reorganisations.count,
  )
  reading.gauge(
    'weft_feed_reorganisation_depth_max',
    'Blocks of the deepest reorg',
    feed?.reorganisations.deepest,
  )
  reading.gauge('weft_feed_stream_seq', 'Number of the newest delta', feed?.lastStreamSeq)
  reading.gauge('weft_feed_stream_seq_oldest', 'Number of the oldest retained delta', feed?.oldestStreamSeq)
}

const OUTCOMES: readonly PoolOutcome[] = ['done', 'failed', 'abandoned', 'queue', 'time', 'memory']

/** Reads limits, load and outcomes of the worker pools. */
export function readPools(reading: Reading, { pools, config }: Pick<Services, 'pools' | 'config'>): void {
  const names = Object.keys(pools) as (keyof typeof pools)[]
  const all = names.map((pool) => ({ labels: { pool }, limits: config[pool], load: pools[pool]() }))
  type Pool = (typeof all)[number]
  const each = (value: (pool: Pool) => number): Sample[] =>
    all.map((pool) => ({ labels: pool.labels, value: value(pool) }))

  reading.gauge(
    'weft_pool_threads_limit',
    'Threads a pool may have',
    each((pool) => pool.limits.threads),
  )
  reading.gauge(
    'weft_pool_queue_limit',
    'Tasks that may wait; one more is refused',
    each((pool) => pool.limits.maxQueue),
  )
  reading.gauge(
    'weft_pool_running',
    'Tasks on a thread',
    each((pool) => pool.load?.running ?? 0),
  )
  reading.gauge(
    'weft_pool_waiting',
    'Tasks waiting for a thread',
    each((pool) => pool.load?.waiting ?? 0),
  )
  reading.total(
    'weft_pool_busy_seconds_total',
    'Seconds that tasks spent on a thread',
    each((pool) => pool.load?.busySeconds ?? 0),
  )
  reading.total(
    'weft_pool_tasks_total',
    'Tasks by how they ended; queue, time and memory are limits of the pool',
    all.flatMap(({ labels, load }) =>
      OUTCOMES.map((outcome) => ({ labels: { ...labels, outcome }, value: load?.outcomes[outcome] ?? 0 })),
    ),
  )
}

/** Reads how transformations with arguments are run, as counted when each was first met. */
export function readEngine(reading: Reading, counters: EngineCounters | undefined): void {
  if (counters === undefined) return
  reading.total(
    'weft_engine_steps_total',
    'Transformations with arguments, as each was met first: how they run, or why not faster. Wrong must stay zero',
    Object.entries(counters).map(([outcome, value]) => ({ labels: { outcome }, value })),
  )
}

/** Reads the event streams of this process. */
export function readStreams(reading: Reading, { tailer }: Pick<Services, 'tailer'>): void {
  const { readers, disconnected, listening } = tailer.status()
  reading.gauge('weft_streams_open', 'Open event streams', readers)
  reading.total(
    'weft_streams_cut_total',
    'Event streams ended because their reader was too slow',
    disconnected,
  )
  reading.gauge(
    'weft_streams_listening',
    'Whether the process is subscribed to new events; 0 also before the first stream',
    listening ? 1 : 0,
  )
}

/** `application_name` of our own processes; all others are labelled `other`. */
const OURS = /^weft(-[a-z]{1,20}){0,2}$/

/** Reads the connections of all processes to the database; only `weft_database_up` when it does not answer. */
async function readDatabase(reading: Reading, services: Pick<Services, 'db'>): Promise<void> {
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
