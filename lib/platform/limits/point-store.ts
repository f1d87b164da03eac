import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible'
import type { Database } from '../db/client.ts'
import { type LimitClass, WINDOW_SECONDS } from './rate-limits.ts'

/** Created by a migration. */
const TABLE = 'rate_limits'
/** After this timeout the process counts locally. */
const TIMEOUT_MS = 1_000
/** Concurrent queries: a flood of addresses must not delay all other reads of the database. */
const MAX_QUERIES = 100

/** The points that the store granted. */
export interface Grant {
  readonly points: number
  /** Milliseconds until the window ends and there are new points. */
  readonly windowEndsIn: number
}

/** Points of one class, counted for all processes of the same database. */
export interface PointStore {
  /** Takes up to `points`. Never rejects: without the database every process counts locally. */
  take(key: string, points: number): Promise<Grant>
}

/**
 * @param perWindow Points of a key in each window of `WINDOW_SECONDS`, which begins with its first request.
 * @param options.sweeps Whether this store deletes rows that ended an hour ago, of every class.
 */
export function createPointStore(
  sql: Database['sql'],
  limitClass: LimitClass,
  perWindow: number,
  options: { readonly sweeps: boolean },
): PointStore {
  const facts = { keyPrefix: limitClass, points: perWindow, duration: WINDOW_SECONDS }
  const memory = new RateLimiterMemory(facts)
  const shared = new RLWrapperTimeouts({
    timeoutMs: TIMEOUT_MS,
    limiter: new RateLimiterPostgres({
      ...facts,
      storeClient: {
        query: async ({ text, values }: { text: string; values: (string | number | null)[] }) => ({
          rows: await sql.unsafe(text, values, { prepare: true }),
        }),
      },
      storeType: 'client',
      tableName: TABLE,
      tableCreated: true,
      clearExpiredByTimeout: options.sweeps,
      insuranceLimiter: memory,
    }),
  })
  let queries = 0
  return {
    take: async (key, points) => {
      const limiter = queries < MAX_QUERIES ? shared : memory
      queries += 1
      try {
        return { points, windowEndsIn: (await limiter.consume(key, points)).msBeforeNext }
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        // All points were counted; this is how many of them were available.
        const pointsLeft = points - (refusal.consumedPoints - perWindow)
        return { points: Math.max(0, pointsLeft), windowEndsIn: refusal.msBeforeNext }
      } finally {
        queries -= 1
      }
    },
  }
}
