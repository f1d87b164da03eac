import { withTimeout } from 'viem'
import { type DescribedNode, describeNodes } from '#lib/chain/nodes/describe-node.ts'
import type { Services } from '#lib/core/context/context.ts'
import { readSponsorAccount, type SponsorAccount } from '#lib/core/entities/publication/sponsor-budget.ts'
import { type DegradedReason, type FeedStatus, readFeedStatus } from '#lib/core/feed/read-status.ts'
import { pendingMigrations } from '#lib/platform/db/migrate.ts'
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
  /** Nodes of the chain in the order of the configuration. */
  readonly nodes: readonly DescribedNode[]
  /** Expenses of the operator today; null where it pays for nothing, or while it cannot be read. */
  readonly sponsor: SponsorAccount | null
  /** Empty when all is well. */
  readonly degraded: readonly DegradedReason[]
}

/** Checks the database and the feed, at most once a second. Never throws: failed checks are reasons in `degraded`. */
export const readStatus: (ctx: StatusServices) => Promise<Status> = memoizeFor(STATUS_TTL_MS, async (ctx) => {
  const checkedAtMs = ctx.clock().getTime()
  const nodes = describeNodes(ctx.chain)
  const own = [...nodeReasons(nodes), ...processReasons(ctx)]
  try {
    const { pending, reasons } = await withTimeout(() => checkDatabase(ctx), { timeout: CHECK_TIMEOUT_MS })
    if (pending.length > 0) {
      const degraded = [unmigrated(pending), ...reasons, ...own]
      return { checkedAtMs, feed: null, pendingMigrations: pending, nodes, sponsor: null, degraded }
    }
    const [feed, sponsor = null] = await withTimeout(
      () => Promise.all([readFeedStatus(ctx), readSponsorAccount(ctx)]),
      { timeout: CHECK_TIMEOUT_MS },
    )
    const codes = new Set(feed.degraded.map(({ code }) => code))
    const more = reasons.filter(({ code }) => !codes.has(code))
    const all = [...feed.degraded, ...more, ...own]
    return { checkedAtMs, feed, pendingMigrations: pending, nodes, sponsor, degraded: all }
  } catch (error) {
    // The error may contain hosts and users: it goes to the log, not to the public page.
    ctx.log.warn({ err: error }, 'Failed to check the database')
    const degraded = [UNREACHABLE, ...own]
    return { checkedAtMs, feed: null, pendingMigrations: null, nodes, sponsor: null, degraded }
  }
})

/** A lost node while another answers: nothing stops, but the next outage would. */
function nodeReasons(nodes: readonly DescribedNode[]): DegradedReason[] {
  const lost = nodes.filter(({ state }) => state === 'down' || state === 'paused')
  if (lost.length === 0 || lost.length === nodes.length) return []
  return [
    {
      code: 'nodes_lost',
      sentence: `Of ${nodes.length} nodes, ${lost.length === 1 ? 'one does' : `${lost.length} do`} not answer: the others stand in.`,
      fix: 'See below which, and since when; check it, or take it out of CHAIN_RPC_URL.',
    },
  ]
}

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
    sentence: `The database took ${milliseconds} ms for a trivial query.`,
    fix: 'Check its CPU, disk and connections, and the network to it: every request waits as long.',
  }
}

const READ_ONLY: DegradedReason = {
  code: 'database_read_only',
  sentence: 'The database is read-only.',
  fix: 'Point DATABASE_URL at the primary server, or unset default_transaction_read_only.',
}

const UNREACHABLE: DegradedReason = {
  code: 'database_unavailable',
  sentence: 'The database does not answer.',
  fix: 'Check that PostgreSQL at DATABASE_URL is running and reachable; no restart is needed.',
}

function unmigrated(pending: readonly string[]): DegradedReason {
  return {
    code: 'migrations_pending',
    sentence: `The database lacks ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`}: ${pending.join(', ')}.`,
    fix: 'Run npm run db:migrate, or start the worker, which migrates at start (so does npm start).',
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
      sentence: `${work} were refused within the last minute because the queue was full.`,
      fix: `Raise ${prefix}_THREADS if there are CPUs for them, or run another instance of the site.`,
    })),
    streams >= config.streams.maxReaders && {
      code: 'streams_full',
      sentence: `All ${streams} streams of the feed that this server allows are open.`,
      fix: 'Raise MAX_STREAMS, or run another instance of the site; clients reconnect by themselves.',
    },
    !config.publicationEnabled && {
      code: 'publication_disabled',
      sentence: 'Publication is switched off. Reading, drafting and running work.',
      fix: 'Set PUBLICATION_ENABLED=true, unless this is intended.',
    },
  ]
  return reasons.filter((each) => each !== false)
}

const POOLS = [
  { pool: 'simulate', work: 'Simulations', prefix: 'SIMULATE' },
  { pool: 'compile', work: 'Compilations', prefix: 'COMPILE' },
  { pool: 'bundleCheck', work: 'Checks of bundles', prefix: 'BUNDLE_CHECK' },
] as const
