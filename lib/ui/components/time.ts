const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `2026-11-21 14:48:03 UTC`: the same for every reader and on server and client alike. */
export function exactTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/**
 * How long ago, in the one unit that matters: `just now`, `5 min ago`, `3 h ago`, `12 days ago`. Clocks differ, and
 * development chains run ahead of them: what is to come is `just now` too.
 *
 * @param ms Unix milliseconds of the event.
 * @param nowMs Unix milliseconds of the reader.
 */
export function timeAgo(ms: number, nowMs: number): string {
  const past = nowMs - ms
  if (past < 45_000) return 'just now'
  if (past < HOUR) return `${Math.max(1, Math.floor(past / MINUTE))} min ago`
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`
  const days = Math.floor(past / DAY)
  return days === 1 ? 'yesterday' : `${days} days ago`
}

/** A length of time in words: `0 s`, `42 s`, `3 min`, `5 h`, `2 days`. */
export function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.round(ms / 1000))} s`
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`
  if (ms < 2 * DAY) return `${Math.round(ms / HOUR)} h`
  return `${Math.round(ms / DAY)} days`
}
