import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** CPU time of a process so far, in milliseconds; undefined where the platform does not report it. */
export function cpuMs(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}
