import type { Services } from '../context.ts'
import type { PoolOutcome } from '../threads/bounded-pool.ts'
import type { Reading, Sample } from './reading.ts'

const OUTCOMES: readonly PoolOutcome[] = ['done', 'failed', 'abandoned', 'queue', 'time', 'memory']

/** Thread pools: what runs, what waits, what became of the work. */
export const readPools = (reading: Reading, { pools, config }: Pick<Services, 'pools' | 'config'>): void => {
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
