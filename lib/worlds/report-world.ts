import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import { getWorld } from './get-world.ts'

/** What may be wrong with a World, as people choose it. */
export const REPORT_REASONS = ['harmful', 'deceptive', 'stolen', 'broken', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

export const MAX_REPORT_WORDS = 1000

/** A day, so that nobody buries what others say. */
const MOST_OF_AN_ACCOUNT = 20
/** Nothing tells visitors apart, so together they have a share. */
const MOST_OF_VISITORS = { onOneWorld: 20, inAll: 200 }
const DAY_MS = 24 * 60 * 60_000

/**
 * Tells administrators that something is wrong with a World. Who is signed in and reports again changes their open
 * report.
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
    // One at a time, so that the limits hold.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`report ${reporter ?? ''}`}, 0))`
    const [sent] = await sql<{ mine: number; here: number; visitors: number }[]>`
      select
        (select count(*) from world_reports where reporter = ${reporter} and created_at > ${dayBefore(now)})::int as mine,
        (select count(*) from world_reports
          where world_id = ${id} and reporter is null and created_at > ${dayBefore(now)})::int as here,
        (select count(*) from world_reports where reporter is null and created_at > ${dayBefore(now)})::int as visitors`
    const { mine = 0, here = 0, visitors = 0 } = sent ?? {}
    if (reporter === null && (here >= MOST_OF_VISITORS.onOneWorld || visitors >= MOST_OF_VISITORS.inAll)) {
      throw new Failure('too_many', 'Visitors have sent many reports today: sign in to send yours')
    }
    if (reporter !== null && mine >= MOST_OF_AN_ACCOUNT) {
      throw new Failure(
        'too_many',
        `You have sent ${MOST_OF_AN_ACCOUNT} reports within a day: send more tomorrow`,
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
