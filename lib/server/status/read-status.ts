import { withTimeout } from 'viem'
import type { Services } from '../../context/context.ts'
import { type DegradedReason, type FeedStatus, readFeedStatus } from '../../feed/read-status.ts'
import { pendingMigrations } from '../../platform/db/migrate.ts'
import { CHECK_TIMEOUT_MS, memoizeFor, STATUS_TTL_MS } from './memoize.ts'

/** Services of a site or a worker; a worker has neither pools nor streams. */
export type StatusServices = Pick<Services, 'db' | 'config' | 'clock' | 'chain' | 'log'> &
  Partial<Pick<Services, 'pools' | 'tailer'>>

/** Status of this server for its public status page. */
export interface Status {
  /** Unix milliseconds of the check. */
  readonly checkedAtMs: number
  /** Null while the database does not answer or is not migrated. */
  readonly feed: FeedStatus | null
  /** Names of migrations the database lacks; null while it does not answer. */
  readonly pendingMigrations: readonly string[] | null
  /** Empty when all is well. */
  readonly degraded: readonly DegradedReason[]
}

/** Checks the database and the feed, at most once a second. Never throws: failed checks are reasons in `degraded`. */
export const readStatus: (ctx: StatusServices) => Promise<Status> = memoizeFor(STATUS_TTL_MS, async (ctx) => {
  const checkedAtMs = ctx.clock().getTime()
  const own = processReasons(ctx)
  try {
    const { pending, reasons } = await withTimeout(() => checkDatabase(ctx), { timeout: CHECK_TIMEOUT_MS })
    if (pending.length > 0) {
      const degraded = [unmigrated(pending), ...reasons, ...own]
      return { checkedAtMs, feed: null, pendingMigrations: pending, degraded }
    }
    const feed = await withTimeout(() => readFeedStatus(ctx), { timeout: CHECK_TIMEOUT_MS })
    const known = new Set(feed.degraded.map(({ code }) => code))
    const more = reasons.filter(({ code }) => !known.has(code))
    return { checkedAtMs, feed, pendingMigrations: pending, degraded: [...feed.degraded, ...more, ...own] }
  } catch (error) {
    // The error may contain hosts and users: it goes to the log, not to the public page.
    ctx.log.warn({ err: error }, 'Failed to check the database')
    return { checkedAtMs, feed: null, pendingMigrations: null, degraded: [UNREACHABLE, ...own] }
  }
})

/** Checks migrations, speed and writability of the database. */
async function checkDatabase({
  db: { sql },
}: StatusServices): Promise<{ pending: readonly string[]; reasons: DegradedReason[] }> {
  const began = performance.now()
  const [settings] = await sql<{ readOnly: boolean }[]>`
    select current_setting('transaction_read_only') = 'on' as "readOnly"`
  const milliseconds = Math.round(performance.now() - began)
  const pending = await pendingMigrations(sql)
  const reasons = [milliseconds > SLOW_MS && slow(milliseconds), settings?.readOnly && READ_ONLY]
  return { pending, reasons: reasons.filter((each) => typeof each === 'object') }
}

/** Time of a trivial query; a longer one waits for a connection, the network or the disk. */
const SLOW_MS = 500

function slow(milliseconds: number): DegradedReason {
  return {
    code: 'database_slow',
    sentence: `The database took ${milliseconds} milliseconds to answer the smallest question.`,
    fix: 'Look at its processor, its disk and its connections, and at the network between: requests wait as long.',
  }
}

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

function unmigrated(pending: readonly string[]): DegradedReason {
  return {
    code: 'migrations_pending',
    sentence: `The database lacks ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`}: ${pending.join(', ')}.`,
    fix: 'Run npm run db:migrate, or start the worker, which migrates (npm start does too).',
  }
}

/** Refused work is a problem for this time. */
const RECENT_SECONDS = 60

type ProcessServices = Pick<Services, 'config'> & Partial<Pick<Services, 'pools' | 'tailer'>>

/** Reasons why this process refuses work. */
export function processReasons({ config, pools, tailer }: ProcessServices): DegradedReason[] {
  const full = POOLS.filter(({ pool }) => {
    const ago = pools?.[pool]()?.refusedAgoSeconds
    return ago !== undefined && ago < RECENT_SECONDS
  })
  const streams = tailer?.status().readers ?? 0
  const reasons: (DegradedReason | false)[] = [
    ...full.map(({ pool, work, prefix }) => ({
      code: `${pool}_full`,
      sentence: `More ${work} were asked for within the last minute than this server works on and lets wait.`,
      fix: `Give it more ${prefix}_THREADS where there are processors for them, or run another site beside it.`,
    })),
    streams >= config.streams.maxReaders && {
      code: 'streams_full',
      sentence: `As many streams of the feed are open as this server allows: ${streams}.`,
      fix: 'Raise MAX_STREAMS, or run another site beside it; readers come back by themselves.',
    },
    !config.publicationEnabled && {
      code: 'publication_disabled',
      sentence:
        'Publication is switched off: everything can be read, drafted and run, and nothing published.',
      fix: 'Set PUBLICATION_ENABLED=true, unless this is on purpose.',
    },
  ]
  return reasons.filter((each) => each !== false)
}

const POOLS = [
  { pool: 'simulate', work: 'simulations', prefix: 'SIMULATE' },
  { pool: 'compile', work: 'compilations', prefix: 'COMPILE' },
  { pool: 'bundleCheck', work: 'checks of bundles', prefix: 'BUNDLE_CHECK' },
] as const
