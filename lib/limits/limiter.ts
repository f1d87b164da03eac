import type { Database } from '../db/client.ts'
import { Failure } from '../domain/failure.ts'
import { createLeases, type Leases } from './leases.ts'
import { LIMIT_CLASSES, type LimitClass, type Limits, WINDOW_SECONDS } from './limit-class.ts'
import { createPointStore } from './point-store.ts'

/** Counts costly requests by who sends them, together with every other site over the same database. */
export interface Limiter {
  /**
   * Counts one request.
   *
   * @param key An account, or a client address; undefined is not counted.
   * @returns A promise when the database has to be asked first, which is rare.
   * @throws {Failure} `too_many` with the seconds to wait, also as the promise's rejection.
   */
  take(limitClass: LimitClass, key: string | undefined): void | Promise<void>
}

/** Connects nothing by itself. */
export function createLimiter(sql: Database['sql'], limits: Limits): Limiter {
  const classes = new Map<LimitClass, Leases>()
  for (const [index, limitClass] of LIMIT_CLASSES.entries()) {
    const perWindow = limits[limitClass]
    if (perWindow === 0) continue
    const store = createPointStore(sql, limitClass, perWindow, { sweeps: index === 0 })
    classes.set(
      limitClass,
      createLeases(store, perWindow, WINDOW_SECONDS * 1000, () => performance.now()),
    )
  }
  return {
    take: (limitClass, key) => {
      const taken = key === undefined ? undefined : classes.get(limitClass)?.take(key)
      if (taken instanceof Promise) return taken.then((wait) => judge(wait, limits[limitClass]))
      judge(taken, limits[limitClass])
    },
  }
}

function judge(waitMs: number | undefined, perMinute: number): void {
  if (waitMs === undefined) return
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  throw new Failure(
    'too_many',
    `This server allows ${perMinute} such requests a minute: try again in ${retryAfterSeconds} seconds`,
    { retryAfterSeconds },
  )
}
