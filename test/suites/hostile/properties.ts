import { setTimeout as sleep } from 'node:timers/promises'
import type { HostileNetwork } from './network.ts'
import type { OnViolation } from './scene.ts'

/** Properties that must hold after every round. */
export interface Bounds {
  readonly headMs: number
  readonly heartbeatGapMs: number
  readonly stallMs: number
  readonly memoryMb: number
}

/** For random programs, on a machine that does nothing else. */
export const BOUNDS: Bounds = { headMs: 30_000, heartbeatGapMs: 2_000, stallMs: 200, memoryMb: 400 }

/** On a slow machine between other tests; what an attack stops or makes quadratic takes longer still. */
export const PATIENT_BOUNDS: Bounds = {
  headMs: 120_000,
  heartbeatGapMs: 15_000,
  stallMs: 2_000,
  memoryMb: 400,
}

/** An interval of the control's heartbeat. */
const BEAT_MS = 1_000
const REPORTED_WITHIN_MS = 15_000

/** Waits until the tables stand at the chain's head. @returns whether it is reached */
export async function reachHead(
  network: HostileNetwork,
  { headMs }: Bounds,
  lastBlockAtMs: number,
  onViolation: OnViolation,
): Promise<boolean> {
  const { number, hash } = (await network.rpc('eth_getBlockByNumber', ['latest', false])) as {
    number: string
    hash: string
  }
  for (;;) {
    const rows = await network.db.sql`
      select 1 from worker_state s join chain_blocks b on b.number = s.processed_block
      where s.processed_block = ${Number(number)} and b.hash = ${hash}`
    const took = Date.now() - lastBlockAtMs
    if (rows.length > 0) return true
    if (took > headMs) {
      const [state] = await network.db.sql`select processed_block from worker_state`
      const complaints = network.workers.flatMap((worker) => worker.complaints.slice(-3))
      onViolation(
        `the head is not reached: block ${state?.processed_block} of ${Number(number)} after ${took} ms\n${complaints.join('\n')}`,
      )
      return false
    }
    await sleep(50)
  }
}

/** Checks heartbeats, event loop and memory of the workers since `sinceMs`. */
export async function measureWorkers(
  network: HostileNetwork,
  bounds: Bounds,
  sinceMs: number,
  onViolation: OnViolation,
): Promise<void> {
  for (const { child, complaints } of network.workers) {
    const ended = await Promise.race([child.exited, sleep(0).then(() => undefined)])
    if (ended !== undefined)
      onViolation(`a worker ended by itself (${ended.code}):\n${complaints.slice(-10).join('\n')}`)
  }
  await untilReported(network, Date.now())
  const gapMs = await largestGap(network, sinceMs)
  if (gapMs > bounds.heartbeatGapMs) onViolation(`no heartbeat for ${gapMs} ms`)
  const reports = network.workers.flatMap((worker) => worker.reports.filter(({ atMs }) => atMs >= sinceMs))
  const stallMs = Math.max(0, ...reports.map((report) => report.stallMs))
  if (stallMs > bounds.stallMs) onViolation(`the event loop of a worker was blocked for ${stallMs} ms`)
  const peakMb = Math.max(0, ...reports.map((report) => report.peakMb))
  if (peakMb > bounds.memoryMb) onViolation(`a worker took ${peakMb} MB of memory`)
}

/** A probe reports a few times a second: what it saw last must be in. */
async function untilReported({ workers }: HostileNetwork, nowMs: number): Promise<void> {
  const giveUp = nowMs + REPORTED_WITHIN_MS
  while (workers.some(({ reports }) => (reports.at(-1)?.atMs ?? 0) < nowMs) && Date.now() < giveUp)
    await sleep(20)
}

/** Longest time between two heartbeats of a running worker, less what the control was late by at that time. */
async function largestGap({ db, workers }: HostileNetwork, sinceMs: number): Promise<number> {
  const running = workers.map(({ child }) => `%:${child.pid}:%`)
  const [row] = await db.sql<{ gap: number | null }[]>`
    with gaps as (
      select instance, at as until, coalesce(lag(at) over (partition by instance order by at), at) as since
      from (
        select instance, at from beats
        union all
        select distinct instance, clock_timestamp() from beats where instance like any(${running})
      ) all_beats
    ), late as (
      select since, until, extract(epoch from until - since) * 1000 - ${BEAT_MS} as ms from gaps
      where instance = 'control'
    )
    select max(extract(epoch from g.until - g.since) * 1000 - greatest(0, coalesce((
      select max(l.ms) from late l where l.since < g.until and l.until > g.since), 0)))::float8 as gap
    from gaps g
    where g.instance <> 'control' and g.until > to_timestamp(${sinceMs / 1000})`
  return Math.round(row?.gap ?? 0)
}

/** An index built from the chain alone equals the tables. */
export async function compareWithReindex(network: HostileNetwork, onViolation: OnViolation): Promise<void> {
  const { tables } = await network.reindex()
  for (const { table, differences } of tables) {
    if (differences.length > 0) {
      onViolation(
        `${table} is not what the chain says: ${JSON.stringify(differences.slice(0, 3)).slice(0, 2_000)}`,
      )
    }
  }
}
