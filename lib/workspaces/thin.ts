import { MAX_VERSIONS } from './limits.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The newest ones are kept whatever their age: the last few steps are what people want back most. */
const NEWEST = 10

/** Up to which age one version in which time is kept. Each time divides the next one, so nothing kept early goes missing. */
const GRAINS = [
  { upToMs: HOUR, everyMs: 2 * MINUTE },
  { upToMs: DAY, everyMs: 30 * MINUTE },
  { upToMs: 14 * DAY, everyMs: 6 * HOUR },
  { upToMs: Number.POSITIVE_INFINITY, everyMs: 7 * DAY },
] as const

interface Version {
  readonly revision: number
  readonly savedAt: Date
}

/**
 * Which versions go: many are kept of the last hour, fewer of the last day, few of what was long ago.
 *
 * @param versions The newest first.
 * @returns Their revisions. The newest version never goes.
 */
export function thin(versions: readonly Version[], now: Date): number[] {
  const taken = new Set<string>()
  const kept: Version[] = []
  const gone: number[] = []
  for (const version of versions) {
    const time = version.savedAt.getTime()
    const { everyMs } = GRAINS.find(({ upToMs }) => now.getTime() - time <= upToMs) ?? GRAINS[0]
    const place = `${everyMs}/${Math.floor(time / everyMs)}`
    const goes = kept.length >= NEWEST && (taken.has(place) || kept.length >= MAX_VERSIONS)
    taken.add(place)
    if (goes) gone.push(version.revision)
    else kept.push(version)
  }
  return gone
}
