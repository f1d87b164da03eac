import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import postgres from 'postgres'
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

const BEAT_MS = 1_000
/** A holder of the lock that is silent for this long is stuck; the next standby takes over a second later. */
const STUCK_MS = 6_000
/** Rows of processes that never said goodbye. */
const FORGET_MS = 3_600_000

/** Names one process among all that ever ran. */
export const newInstance = (): string => `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`

/**
 * Keeps this process's row in `worker_instances` fresh, over a connection of its own: the writer's is busy.
 *
 * @param pulse Read at every beat; undefined skips it, for a worker that cannot tell whether it still works.
 */
export const startHeartbeat = (
  databaseUrl: string,
  instance: string,
  pulse: () => Pulse | undefined,
): Heartbeat => {
  const sql = postgres(databaseUrl, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: 'weft-heartbeat', statement_timeout: 5_000 },
  })
  let beating: Promise<unknown> | undefined
  const timer = setInterval(() => {
    const now = pulse()
    if (now === undefined || beating !== undefined) return
    // A database that is away is the worker's business, and said by the silence itself.
    beating = beat(sql, instance, now)
      .catch(() => {})
      .finally(() => {
        beating = undefined
      })
  }, BEAT_MS)
  return {
    async stop() {
      clearInterval(timer)
      const farewell = Promise.resolve(beating).then(
        () => sql`delete from worker_instances where instance = ${instance}`,
      )
      farewell.catch(() => {})
      await Promise.race([farewell.catch(() => {}), patience(300)])
      await sql.end({ timeout: 0 })
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

const beat = async (sql: postgres.Sql, instance: string, pulse: Pulse): Promise<void> => {
  await sql`
    update worker_instances set
      role = ${pulse.role}, role_since_ms = ${pulse.roleSinceMs}, heartbeat_at = clock_timestamp(),
      head_seen_at_ms = ${pulse.headSeenAtMs ?? null},
      problem_code = ${pulse.problem?.code ?? null}, problem = ${pulse.problem?.sentence ?? null}
    where instance = ${instance}`
  if (pulse.role === 'writer') {
    await sql`
      delete from worker_instances
      where heartbeat_at < clock_timestamp() - make_interval(secs => ${FORGET_MS / 1000})`
  }
}

const nowMs = (sql: postgres.Sql) => sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`

const patience = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
