import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into the worker process before its own code (`--import`): prints how long its event loop stood still. A tick that
 * comes late because the machine is busy is no fault of the worker, so what counts is the processor time that its
 * main thread took between two ticks.
 */

export const PROBE_PREFIX = 'probe '
const TICK_MS = 20
const REPORT_MS = 250

/** The content of one report. */
export interface ProbeReport {
  readonly atMs: number
  /** Longest time without a turn of the event loop, as processor time of the thread and on the clock. */
  readonly stallMs: number
  readonly lateMs: number
  readonly rssMb: number
  /** Highest so far, in this process. */
  readonly peakMb: number
}

/** Linux counts the memory of the parent at `fork` into `maxRSS` of the child, but not into its VmHWM. */
function peakKb(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  const [, peak] = readFileSync('/proc/self/status', 'utf8').match(/^VmHWM:\s*(\d+) kB$/m) ?? []
  return Number(peak)
}

if (isMainThread && process.env.HOSTILE_PROBE === '1') {
  const threadMs = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let [cpu, wall, stallMs, lateMs, reportAt] = [threadMs(), performance.now(), 0, 0, 0]
  setInterval(() => {
    const [cpuNow, wallNow] = [threadMs(), performance.now()]
    stallMs = Math.max(stallMs, cpuNow - cpu)
    lateMs = Math.max(lateMs, wallNow - wall - TICK_MS)
    ;[cpu, wall] = [cpuNow, wallNow]
    if (wallNow < reportAt) return
    const report: ProbeReport = {
      atMs: Date.now(),
      stallMs: Math.round(stallMs),
      lateMs: Math.round(lateMs),
      rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
      peakMb: Math.round(peakKb() / 1024),
    }
    console.log(`${PROBE_PREFIX}${JSON.stringify(report)}`)
    ;[stallMs, lateMs, reportAt] = [0, 0, wallNow + REPORT_MS]
  }, TICK_MS).unref()
}
