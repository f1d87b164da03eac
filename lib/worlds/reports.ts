import { randomBytes } from 'node:crypto'
import type { Context } from '../context/context.ts'
import type { Address } from '../protocol/entity.ts'
import { Failure } from '../protocol/failure.ts'
import { getWorld } from './get-world.ts'

/** Reasons of a report. */
export const REPORT_REASONS = ['harmful', 'deceptive', 'stolen', 'broken', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

export const MAX_REPORT_WORDS = 1000

/** Reports a day. */
const MAX_OF_ACCOUNT = 20
/** Visitors are indistinguishable and share a quota a day. */
const MAX_OF_VISITORS = { onOneWorld: 20, inAll: 200 }
const DAY_MS = 24 * 60 * 60_000

/**
 * Reports a World to the administrators. A second report of an account replaces its open one.
 *
 * @param words At most `MAX_REPORT_WORDS` characters; may be empty.
 * @throws Failure('not_found'), Failure('too_many') beyond what an account, or visitors together, may report a day.
 */
export async function reportWorld(
  ctx: Context,
  { id, reason, words }: { readonly id: string; readonly reason: ReportReason; readonly words: string },
): Promise<void> {
  const world = await getWorld(ctx, id)
  const reporter = ctx.session?.address ?? null
  const now = ctx.clock()
  await ctx.db.sql.begin(async (sql) => {
    // One transaction at a time, so that the limits hold.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`report ${reporter ?? ''}`}, 0))`
    const [sent] = await sql<{ mine: number; here: number; visitors: number }[]>`
      select
        (select count(*) from world_reports where reporter = ${reporter} and created_at > ${dayBefore(now)})::int as mine,
        (select count(*) from world_reports
          where world_id = ${id} and reporter is null and created_at > ${dayBefore(now)})::int as here,
        (select count(*) from world_reports where reporter is null and created_at > ${dayBefore(now)})::int as visitors`
    const { mine = 0, here = 0, visitors = 0 } = sent ?? {}
    if (reporter === null && (here >= MAX_OF_VISITORS.onOneWorld || visitors >= MAX_OF_VISITORS.inAll)) {
      throw new Failure('too_many', 'Visitors have sent many reports today: sign in to send yours')
    }
    if (reporter !== null && mine >= MAX_OF_ACCOUNT) {
      throw new Failure(
        'too_many',
        `You have sent ${MAX_OF_ACCOUNT} reports within a day: send more tomorrow`,
      )
    }
    await sql`
      insert into world_reports (id, world_id, bundle_hash, reason, words, reporter, created_at)
      values (${randomBytes(10).toString('hex')}, ${id}, ${world.bundleHash}, ${reason}, ${words}, ${reporter}, ${now.toISOString()})
      on conflict (world_id, reporter) where settled_at is null
      do update set bundle_hash = excluded.bundle_hash, reason = excluded.reason, words = excluded.words,
        created_at = excluded.created_at`
  })
}

function dayBefore(now: Date): string {
  return new Date(now.getTime() - DAY_MS).toISOString()
}

export interface OpenReport {
  readonly id: string
  readonly worldId: string
  readonly slug: string
  readonly owner: Address
  readonly reason: ReportReason
  readonly words: string
  /** Null for a visitor. */
  readonly reporter: Address | null
  /** The World has been replaced since. */
  readonly outdated: boolean
  readonly createdMs: number
}

const MAX_LISTED = 500

/** Open reports on active Worlds: oldest first, at most 500. */
export async function openReports({ db }: Pick<Context, 'db'>): Promise<readonly OpenReport[]> {
  return db.sql<OpenReport[]>`
    select r.id, r.world_id as "worldId", w.slug, w.owner, r.reason, r.words, r.reporter,
      r.bundle_hash <> w.bundle_hash as outdated,
      (extract(epoch from r.created_at) * 1000)::float8 as "createdMs"
    from world_reports r join worlds w on w.id = r.world_id
    where r.settled_at is null and w.status = 'active'
    order by r.created_at, r.id
    limit ${MAX_LISTED}`
}

/** Puts a report away. @returns whether there was such an open one. */
export async function settleReport(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  id: string,
): Promise<boolean> {
  const rows = await db.sql`
    update world_reports set settled_at = ${clock().toISOString()} where id = ${id} and settled_at is null returning id`
  return rows.length > 0
}
