import type { Database } from '#lib/platform/db/client.ts'

/** Timeout of a status check in milliseconds. */
export const CHECK_TIMEOUT_MS = 3_000
/** Public pages read the status at most once in this time. */
export const STATUS_TTL_MS = 1_000

/** Caches the result of `read` for `ms` and deduplicates concurrent calls, for each database apart. */
export function memoizeFor<Services extends { readonly db: Database }, T>(
  ms: number,
  read: (services: Services) => Promise<T>,
): (services: Services) => Promise<T> {
  const results = new WeakMap<Database, { readonly untilMs: number; readonly result: Promise<T> }>()
  return (services) => {
    const cached = results.get(services.db)
    if (cached && performance.now() < cached.untilMs) return cached.result
    const result = read(services)
    results.set(services.db, { untilMs: performance.now() + ms, result })
    return result
  }
}
