import { parentPort, workerData } from 'node:worker_threads'
import { connect } from '#lib/platform/db/connect.ts'
import { HEARTBEAT_MS, type HeartbeatTask, type Pulse } from './heartbeat.ts'

/** A main thread that sends no pulse for this long hangs: heartbeats stop, and a standby takes over. */
const PULSE_TIMEOUT_MS = 15_000
/** Rows of processes that crashed are deleted after this time. */
const RETENTION_MS = 3_600_000

const { databaseUrl, instance } = workerData as HeartbeatTask
const sql = connect(databaseUrl, { max: 1, statementTimeoutMs: 5_000 })
let latest: { readonly pulse: Pulse; readonly atMs: number } | undefined
let beating: Promise<unknown> | undefined

async function beat(pulse: Pulse): Promise<void> {
  await sql`
    update worker_instances set
      role = ${pulse.role}, role_since_ms = ${pulse.roleSinceMs}, heartbeat_at = clock_timestamp(),
      head_seen_at_ms = ${pulse.headSeenAtMs ?? null},
      problem_code = ${pulse.problem?.code ?? null}, problem = ${pulse.problem?.sentence ?? null}
    where instance = ${instance}`
  if (pulse.role === 'writer') {
    await sql`
      delete from worker_instances
      where heartbeat_at < clock_timestamp() - make_interval(secs => ${RETENTION_MS / 1000})`
  }
}

const timer = setInterval(() => {
  if (latest === undefined || beating !== undefined || performance.now() - latest.atMs > PULSE_TIMEOUT_MS)
    return
  // An unavailable database is handled by the main thread; a missing heartbeat shows it.
  beating = beat(latest.pulse)
    .catch(() => {})
    .finally(() => {
      beating = undefined
    })
}, HEARTBEAT_MS)

parentPort?.on('message', (message: Pulse | 'stop') => {
  if (message === 'stop') void stop()
  else latest = { pulse: message, atMs: performance.now() }
})

async function stop(): Promise<void> {
  clearInterval(timer)
  await beating
  await sql`delete from worker_instances where instance = ${instance}`.catch(() => {})
  await sql.end({ timeout: 0 })
  parentPort?.close()
}
