import type { Services } from '../context.ts'
import { pendingMigrations } from '../db/pending-migrations.ts'
import { type DegradedReason, type FeedStatus, readFeedStatus } from '../feed/read-status.ts'
import { withPatience } from './patience.ts'
import { rememberBriefly } from './remember.ts'

export type StatusServices = Pick<Services, 'db' | 'config' | 'clock' | 'chain' | 'log'>

/** How this server is, as its public status page tells it. */
export interface Status {
  /** Unix milliseconds of the look. */
  readonly checkedAtMs: number
  /** Null while the database does not answer or is not migrated. */
  readonly feed: FeedStatus | null
  /** Names of migrations the database lacks; null while it does not answer. */
  readonly pendingMigrations: readonly string[] | null
  /** Empty when all is well. */
  readonly degraded: readonly DegradedReason[]
}

/**
 * Looks at the database and the feed, at most once a second however many ask. Never throws: what cannot be read is a
 * reason in `degraded`.
 */
export const readStatus: (ctx: StatusServices) => Promise<Status> = rememberBriefly(async (ctx) => {
  const checkedAtMs = ctx.clock().getTime()
  try {
    const pending = await withPatience(pendingMigrations(ctx.db.sql))
    if (pending.length > 0) {
      return { checkedAtMs, feed: null, pendingMigrations: pending, degraded: [unmigrated(pending)] }
    }
    const feed = await withPatience(readFeedStatus(ctx))
    return { checkedAtMs, feed, pendingMigrations: pending, degraded: feed.degraded }
  } catch (error) {
    // The reason may name hosts and users: it is for the log, not for the public page.
    ctx.log.warn({ err: error }, 'the database does not answer')
    return { checkedAtMs, feed: null, pendingMigrations: null, degraded: [UNREACHABLE] }
  }
})

const UNREACHABLE: DegradedReason = {
  code: 'database_unavailable',
  sentence: 'The database does not answer.',
  fix: 'Check that PostgreSQL at DATABASE_URL runs and can be reached; serving goes on by itself when it is back.',
}

const unmigrated = (pending: readonly string[]): DegradedReason => ({
  code: 'migrations_pending',
  sentence: `The database lacks ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`}: ${pending.join(', ')}.`,
  fix: 'Run npm run db:migrate, or start the worker, which migrates (npm start does too).',
})
