import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible'
import type { Database } from '../db/client.ts'
import { type LimitClass, WINDOW_SECONDS } from './limit-class.ts'

/** Name of the table, which a migration makes. */
const TABLE = 'rate_limits'
/** A database that takes longer is not waited for. */
const PATIENCE_MS = 1_000
/** Questions to the database at a time; a flood of addresses must not become a queue in front of everybody's reads. */
const MAX_ASKING = 100

/** What the store gave of the points that were asked for. */
export interface Grant {
  readonly points: number
  /** Milliseconds until the window ends and there are new points. */
  readonly windowEndsIn: number
}

/** Points of one class, counted for all processes over the same database. */
export interface PointStore {
  /** Takes up to `points`. Never rejects: without the database every process counts for itself. */
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
    timeoutMs: PATIENCE_MS,
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
  let asking = 0
  return {
    take: async (key, points) => {
      const limiter = asking < MAX_ASKING ? shared : memory
      asking += 1
      try {
        return { points, windowEndsIn: (await limiter.consume(key, points)).msBeforeNext }
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        // All of it was counted, and this is how much of it was still there.
        const left = points - (refusal.consumedPoints - perWindow)
        return { points: Math.max(0, left), windowEndsIn: refusal.msBeforeNext }
      } finally {
        asking -= 1
      }
    },
  }
}
