import { parentPort, workerData } from 'node:worker_threads'
import postgres from 'postgres'
import { BEAT_MS, type HeartbeatTask, type Pulse } from './heartbeat.ts'

/** A worker that sends no pulse for this long hangs: its heart stops, and a standby takes its place. */
const HANGS_MS = 15_000
/** Rows of processes that never said goodbye. */
const FORGET_MS = 3_600_000

const { databaseUrl, instance } = workerData as HeartbeatTask
const sql = postgres(databaseUrl, {
  max: 1,
  connect_timeout: 5,
  onnotice: () => {},
  connection: { application_name: 'weft-heartbeat', statement_timeout: 5_000 },
})
let latest: { readonly pulse: Pulse; readonly atMs: number } | undefined
let beating: Promise<unknown> | undefined

const beat = async (pulse: Pulse): Promise<void> => {
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

const timer = setInterval(() => {
  if (latest === undefined || beating !== undefined || performance.now() - latest.atMs > HANGS_MS) return
  // A database that is away is the worker's business, and said by the silence itself.
  beating = beat(latest.pulse)
    .catch(() => {})
    .finally(() => {
      beating = undefined
    })
}, BEAT_MS)

parentPort?.on('message', (message: Pulse | 'stop') => {
  if (message === 'stop') void stop()
  else latest = { pulse: message, atMs: performance.now() }
})

const stop = async (): Promise<void> => {
  clearInterval(timer)
  await beating
  await sql`delete from worker_instances where instance = ${instance}`.catch(() => {})
  await sql.end({ timeout: 0 })
  parentPort?.close()
}
