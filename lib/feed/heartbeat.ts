import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type postgres from 'postgres'
import { lockHolder } from './writer-lock.ts'

export type WorkerRole = 'writer' | 'standby'

/** What a worker says about itself once a second. */
export interface Pulse {
  readonly role: WorkerRole
  readonly roleSinceMs: number
  /** When it last heard from the node. */
  readonly headSeenAtMs: number | undefined
  /** Why it does not advance; undefined while it does. */
  readonly problem: { readonly code: string; readonly sentence: string } | undefined
}

export interface Heartbeat {
  /** Says goodbye, so that the status page need not wait for the silence to be noticed. */
  stop(): Promise<void>
}

/** What the heartbeat's thread starts with. */
export interface HeartbeatTask {
  readonly databaseUrl: string
  readonly instance: string
}

/** Milliseconds between two beats, and between two pulses of the worker's own thread. */
export const BEAT_MS = 1_000
/** A holder of the lock that is silent for this long is stuck; the next standby takes over a second later. */
const STUCK_MS = 6_000
const FAREWELL_MS = 500

/** Names one process among all that ever ran. */
export const newInstance = (): string => `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`

/**
 * Keeps this process's row in `worker_instances` fresh, from a thread of its own: an event loop that is blocked for some
 * seconds must not cost the writer its lock. The thread beats for as long as pulses reach it, and a while longer.
 *
 * @param pulse Read every second; undefined sends none, for a worker that cannot tell whether it still works.
 */
export const startHeartbeat = (
  databaseUrl: string,
  instance: string,
  pulse: () => Pulse | undefined,
): Heartbeat => {
  const task: HeartbeatTask = { databaseUrl, instance }
  let thread: Worker | undefined
  const send = (): void => {
    thread ??= open()
    const now = pulse()
    if (now !== undefined) thread.postMessage(now)
  }
  const open = (): Worker => {
    const started = new Worker(
      join(/* turbopackIgnore: true */ process.cwd(), 'lib/feed/heartbeat-thread.ts'),
      {
        workerData: task,
      },
    )
    // A thread that fails is replaced at the next pulse.
    started.on('error', () => {})
    started.on('exit', () => {
      if (thread === started) thread = undefined
    })
    return started
  }
  send()
  const timer = setInterval(send, BEAT_MS)
  return {
    async stop() {
      clearInterval(timer)
      if (thread === undefined) return
      const ended = once(thread, 'exit')
      thread.postMessage('stop')
      await Promise.race([ended, sleep(FAREWELL_MS, undefined, { ref: false })])
      await thread?.terminate()
    },
  }
}

/** Tells which database session a worker is about to ask for the lock with. */
export const registerSession = async (sql: postgres.Sql, instance: string): Promise<void> => {
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
 * Ends the session that holds the writer lock when no living worker claims it: its process is stopped, or unreachable while
 * the connection still looks alive. What it had not committed is gone, and it will find that it may not write.
 */
export const evictStuckHolder = async (sql: postgres.Sql): Promise<void> => {
  await sql`
    select pg_terminate_backend(holder.pid) from (${lockHolder(sql)}) holder
    where not exists (
      select 1 from worker_instances
      where backend_pid = holder.pid
        and heartbeat_at > clock_timestamp() - make_interval(secs => ${STUCK_MS / 1000}))`
}

const nowMs = (sql: postgres.Sql) => sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
