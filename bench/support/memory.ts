import { readFileSync } from 'node:fs'

/** MB of memory that a process holds; not known everywhere. */
export function residentMb(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}
