import type { Services } from '../context.ts'
import { pendingMigrations } from '../db/pending-migrations.ts'
import { type DegradedReason, type FeedStatus, readFeedStatus } from '../feed/read-status.ts'
import { withPatience } from './patience.ts'
import { processReasons } from './process-reasons.ts'
import { rememberBriefly } from './remember.ts'

/** A worker has neither pools nor streams. */
export type StatusServices = Pick<Services, 'db' | 'config' | 'clock' | 'chain' | 'log'> &
  Partial<Pick<Services, 'pools' | 'tailer'>>

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
  const own = processReasons(ctx)
  try {
    const { pending, reasons } = await withPatience(lookAtDatabase(ctx))
    if (pending.length > 0) {
      const degraded = [unmigrated(pending), ...reasons, ...own]
      return { checkedAtMs, feed: null, pendingMigrations: pending, degraded }
    }
    const feed = await withPatience(readFeedStatus(ctx))
    const told = new Set(feed.degraded.map(({ code }) => code))
    const more = reasons.filter(({ code }) => !told.has(code))
    return { checkedAtMs, feed, pendingMigrations: pending, degraded: [...feed.degraded, ...more, ...own] }
  } catch (error) {
    // The reason may name hosts and users: it is for the log, not for the public page.
    ctx.log.warn({ err: error }, 'the database does not answer')
    return { checkedAtMs, feed: null, pendingMigrations: null, degraded: [UNREACHABLE, ...own] }
  }
})

/** What is wrong with the database besides what is in it. */
const lookAtDatabase = async ({
  db: { sql },
}: StatusServices): Promise<{ pending: readonly string[]; reasons: DegradedReason[] }> => {
  const began = performance.now()
  const [settings] = await sql<{ readOnly: boolean }[]>`
    select current_setting('transaction_read_only') = 'on' as "readOnly"`
  const milliseconds = Math.round(performance.now() - began)
  const pending = await pendingMigrations(sql)
  const reasons = [milliseconds > SLOW_MS && slow(milliseconds), settings?.readOnly && READ_ONLY]
  return { pending, reasons: reasons.filter((each) => typeof each === 'object') }
}

/** A question without any work in it; who waits for longer waits for a connection, for the network or for the disk. */
const SLOW_MS = 500

const slow = (milliseconds: number): DegradedReason => ({
  code: 'database_slow',
  sentence: `The database took ${milliseconds} milliseconds to answer the smallest question.`,
  fix: 'Look at its processor, its disk and its connections, and at the network between: requests wait as long.',
})

const READ_ONLY: DegradedReason = {
  code: 'database_read_only',
  sentence: 'The database takes no writes.',
  fix: 'Point DATABASE_URL at the server that takes writes, or take default_transaction_read_only back.',
}

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
