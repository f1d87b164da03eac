import { Failure } from '#lib/protocol/failure.ts'
import type { Database } from '../db/client.ts'
import { createPointLeases, type PointLeases } from './point-leases.ts'
import { createPointStore } from './point-store.ts'
import { type LimitClass, RATE_LIMITS, type RateLimits, WINDOW_SECONDS } from './rate-limits.ts'

/** Limits costly requests per minute and key, over all processes of one database. */
export interface RateLimiter {
  /**
   * Counts one request.
   *
   * @param key An account, or a client address; undefined is not counted.
   * @returns A promise when the database has to be read first, which is rare.
   * @throws {Failure} `too_many` with the seconds to wait, also as the promise's rejection.
   */
  take(limitClass: LimitClass, key: string | undefined): void | Promise<void>
}

/** Does not connect automatically. */
export function createRateLimiter(sql: Database['sql'], limits: RateLimits): RateLimiter {
  const classes = new Map<LimitClass, PointLeases>()
  for (const [index, limitClass] of (Object.keys(RATE_LIMITS) as LimitClass[]).entries()) {
    const perWindow = limits[limitClass]
    if (perWindow === 0) continue
    const store = createPointStore(sql, limitClass, perWindow, { sweeps: index === 0 })
    classes.set(
      limitClass,
      createPointLeases(store, perWindow, WINDOW_SECONDS * 1000, () => performance.now()),
    )
  }
  return {
    take: (limitClass, key) => {
      const wait = key === undefined ? undefined : classes.get(limitClass)?.take(key)
      if (wait instanceof Promise) return wait.then((waitMs) => requireNoWait(waitMs, limits[limitClass]))
      requireNoWait(wait, limits[limitClass])
    },
  }
}

function requireNoWait(waitMs: number | undefined, perMinute: number): void {
  if (waitMs === undefined) return
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  throw new Failure(
    'too_many',
    `This server allows ${perMinute} such requests a minute: try again in ${retryAfterSeconds} seconds`,
    { retryAfterSeconds },
  )
}
