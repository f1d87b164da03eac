import { readFileSync } from 'node:fs'

/** MB of memory that a process holds; not known everywhere. */
export function residentMb(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}

export interface Sample {
  readonly seconds: number
  readonly mb: number
}

/** MB an hour by which memory grows, by least squares. */
export function slopePerHour(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [at, mb] = [mean((sample) => sample.seconds), mean((sample) => sample.mb)]
  const above = samples.reduce((sum, sample) => sum + (sample.seconds - at) * (sample.mb - mb), 0)
  const below = samples.reduce((sum, sample) => sum + (sample.seconds - at) ** 2, 0)
  return (above / below) * 3600
}
