import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type postgres from 'postgres'
import { CRON_INSTANCE } from '#lib/core/feed/read-status.ts'
import { writerLockHolder } from '#lib/platform/db/advisory-locks.ts'

export type WorkerRole = 'writer' | 'standby'

/** State of a worker, sent with each heartbeat. */
export interface Pulse {
  readonly role: WorkerRole
  readonly roleSinceMs: number
  /** Unix milliseconds of the node's last answer. */
  readonly headSeenAtMs: number | undefined
  /** Why the worker does not advance; undefined while it does. */
  readonly problem: { readonly code: string; readonly sentence: string } | undefined
}

export interface Heartbeat {
  /** Deletes the row, so that the status page does not wait for the heartbeat to expire. */
  stop(): Promise<void>
}

/** `workerData` of the heartbeat thread. */
export interface HeartbeatTask {
  readonly databaseUrl: string
  readonly instance: string
}

/** Interval of heartbeats, and of pulses from the main thread to the heartbeat thread. */
export const HEARTBEAT_MS = 1_000
/** A lock holder without a heartbeat for this long is stuck; the next standby takes over a second later. */
const STUCK_MS = 6_000
/** For the deletion of the row, which a busy machine takes its time over. */
const STOP_TIMEOUT_MS = 10_000

/** Returns a unique id of this process. */
export function newInstance(): string {
  return `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`
}

/**
 * Updates this process's row in `worker_instances` every second from a separate thread, so that an event loop that is
 * blocked for some seconds does not cost the writer its lock. Without pulses the thread stops after 15 seconds.
 *
 * @param pulse Called every second; undefined sends none.
 */
export function startHeartbeat(
  databaseUrl: string,
  instance: string,
  pulse: () => Pulse | undefined,
): Heartbeat {
  const task: HeartbeatTask = { databaseUrl, instance }
  let thread: Worker | undefined
  const send = (): void => {
    thread ??= open()
    const now = pulse()
    if (now !== undefined) thread.postMessage(now)
  }
  const open = (): Worker => {
    const started = new Worker(new URL('./heartbeat-thread.ts', import.meta.url), { workerData: task })
    // A thread that fails is replaced at the next pulse.
    started.on('error', () => {})
    started.on('exit', () => {
      if (thread === started) thread = undefined
    })
    return started
  }
  send()
  const timer = setInterval(send, HEARTBEAT_MS)
  return {
    async stop() {
      clearInterval(timer)
      if (thread === undefined) return
      const ended = once(thread, 'exit')
      thread.postMessage('stop')
      await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
      await thread?.terminate()
    },
  }
}

/** Registers a worker, and the database session with which it is about to request the lock. */
export async function registerInstance(sql: postgres.Sql, instance: string): Promise<void> {
  await sql`
    insert into worker_instances (instance, role, role_since_ms, heartbeat_at, backend_pid)
    values (${instance}, 'standby', ${nowMs(sql)}, clock_timestamp(), pg_backend_pid())
    on conflict (instance) do update set
      role = 'standby', heartbeat_at = excluded.heartbeat_at, backend_pid = excluded.backend_pid,
      role_since_ms = case
        when worker_instances.role = 'standby' then worker_instances.role_since_ms else excluded.role_since_ms
      end`
}

/**
 * Records that a bounded run of the indexer has ended: between two of them there is no worker, and the status page judges
 * by the last one.
 */
export async function recordCronRun(
  sql: postgres.Sql,
  problem: { readonly code: string; readonly sentence: string } | undefined,
): Promise<void> {
  const [code, sentence] = [problem?.code ?? null, problem?.sentence ?? null]
  const headSeenAt = code === null ? nowMs(sql) : null
  await sql`
    insert into worker_instances
      (instance, role, role_since_ms, heartbeat_at, head_seen_at_ms, problem_code, problem)
    values (${CRON_INSTANCE}, 'writer', ${nowMs(sql)}, clock_timestamp(), ${headSeenAt}, ${code}, ${sentence})
    on conflict (instance) do update set
      heartbeat_at = excluded.heartbeat_at, problem_code = excluded.problem_code, problem = excluded.problem,
      head_seen_at_ms = coalesce(excluded.head_seen_at_ms, worker_instances.head_seen_at_ms)`
}

/**
 * Terminates the session that holds the writer lock when no worker with a recent heartbeat owns it: its process is
 * stopped, or unreachable while the connection still looks alive. Its open transaction is rolled back.
 */
export async function evictStuckHolder(sql: postgres.Sql): Promise<void> {
  await sql`
    select pg_terminate_backend(holder.pid) from (${writerLockHolder(sql)}) holder
    where not exists (
      select 1 from worker_instances
      where backend_pid = holder.pid
        and heartbeat_at > clock_timestamp() - make_interval(secs => ${STUCK_MS / 1000}))`
}

function nowMs(sql: postgres.Sql) {
  return sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
}
