import { randomBytes } from 'node:crypto'
import type postgres from 'postgres'
import type { Context, Services } from '#lib/core/context/context.ts'
import { clientNetwork, FRESH_MS } from '#lib/core/identity/client-network.ts'
import { parseAddress } from '#lib/protocol/address.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { PIECE_KINDS, type PieceKind } from '#lib/protocol/piece.ts'

/** Reasons of a report. */
export const REPORT_REASONS = ['harmful', 'deceptive', 'stolen', 'broken', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** Kinds of what can be reported: Worlds by their id, entities by their name, profiles by their address. */
export const REPORTED_KINDS = [...PIECE_KINDS, 'profile'] as const
export type ReportedKind = PieceKind | 'profile'

export interface Reported {
  readonly kind: ReportedKind
  readonly name: string
}

export const MAX_REPORT_WORDS = 1000

/** Reports a day. */
const MAX_OF_ACCOUNT = 20
/** Reports a day of all visitors and fresh accounts of one network. */
const MAX_OF_NETWORK = 20
/** Reports a day of all visitors and fresh accounts: bounds the table. */
const MAX_IN_ALL = 10_000
const DAY_MS = 24 * 60 * 60_000

/**
 * Reports a World, an entity or a profile to the administrators. A second report of an account replaces its open one.
 *
 * @param words At most `MAX_REPORT_WORDS` characters; may be empty.
 * @throws Failure('not_found'), Failure('too_many') beyond what an account or a network may report a day.
 */
export async function report(
  ctx: Pick<Context, 'db' | 'session' | 'clock' | 'client' | 'config'>,
  { reason, words, ...subject }: Reported & { readonly reason: ReportReason; readonly words: string },
): Promise<void> {
  const reporter = ctx.session?.address ?? null
  const now = ctx.clock()
  const since = new Date(now.getTime() - DAY_MS).toISOString()
  const fresh = new Date(now.getTime() - FRESH_MS).toISOString()
  const own = clientNetwork(ctx)
  const kind = subject.kind
  // An address in any spelling.
  const name = kind === 'profile' ? (parseAddress(subject.name) ?? '') : subject.name
  await ctx.db.sql.begin(async (sql) => {
    // One transaction at a time, so that the limits hold.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`report ${reporter ?? own}`}, 0))`
    const version = await versionOf(sql, { kind, name })
    const isAbout = kind === 'world' ? sql`world_id = ${name}` : sql`kind = ${kind} and subject = ${name}`
    const [counts] = await sql<{ fresh: boolean; mine: number; near: number; total: number }[]>`
      select not exists (
          select from users where address = ${reporter} and created_at < ${fresh}
        ) as fresh,
        (select count(*) from world_reports where reporter = ${reporter} and created_at > ${since})::int as mine,
        (select count(*) from world_reports where network = ${own} and created_at > ${since})::int as near,
        (select count(*) from world_reports where network is not null and created_at > ${since})::int as total`
    if (counts === undefined) throw new Error('no row of an aggregate')
    if (counts.mine >= MAX_OF_ACCOUNT || (counts.fresh && counts.near >= MAX_OF_NETWORK)) {
      throw new Failure('too_many', `${MAX_OF_ACCOUNT} reports were sent within a day: send more tomorrow`)
    }
    if (counts.fresh && counts.total >= MAX_IN_ALL) {
      throw new Failure('too_many', 'Many reports were sent today: send yours tomorrow')
    }
    const network = counts.fresh ? own : null
    await sql`update world_reports set network = null where network is not null and created_at <= ${since}`
    const replaced = await sql`
      update world_reports
      set bundle_hash = ${version}, reason = ${reason}, words = ${words}, created_at = ${now.toISOString()}
      where ${isAbout} and reporter = ${reporter} and settled_at is null returning id`
    if (replaced.length > 0) return
    await sql`
      insert into world_reports (id, kind, world_id, subject, bundle_hash, reason, words, reporter, network, created_at)
      values (${randomBytes(10).toString('hex')}, ${kind}, ${kind === 'world' ? name : null},
        ${kind === 'world' ? null : name}, ${version}, ${reason}, ${words}, ${reporter}, ${network}, ${now.toISOString()})`
  })
}

/** A hash of what is reported, or the time of a profile. @throws Failure('not_found') */
async function versionOf(sql: postgres.TransactionSql, { kind, name }: Reported): Promise<string> {
  const [row] = await sql<{ version: string }[]>`
    select bundle_hash as version from worlds where ${kind} = 'world' and id = ${name} and status = 'active'
    union all
    select metadata_hash from entities where kind = ${kind} and name = ${name}
    union all
    select updated_at::text from users where ${kind} = 'profile' and address = ${name} and status = 'active'`
  if (row === undefined) throw new Failure('not_found', 'There is nothing of this name to report')
  return row.version
}

export interface OpenReport extends Reported {
  readonly id: string
  /** Path of its page. */
  readonly page: string
  readonly reason: ReportReason
  readonly words: string
  /** Null for a visitor. */
  readonly reporter: Address | null
  /** It has been replaced since. */
  readonly outdated: boolean
  readonly createdMs: number
}

const MAX_LISTED = 500

/** Open reports on what is still there: oldest first, at most 500. */
export async function openReports({ db }: Pick<Services, 'db'>): Promise<readonly OpenReport[]> {
  return db.sql<OpenReport[]>`
    select r.id, r.kind, coalesce(r.world_id, r.subject) as name, r.reason, r.words, r.reporter,
      case r.kind
        when 'world' then '/worlds/' || now.slug
        when 'profile' then '/users/' || r.subject
        else '/' || r.kind || 's/' || r.subject
      end as page,
      r.bundle_hash <> now.version as outdated,
      (extract(epoch from r.created_at) * 1000)::float8 as "createdMs"
    from world_reports r
    cross join lateral (
      select bundle_hash as version, slug from worlds
        where r.kind = 'world' and id = r.world_id and status = 'active'
      union all
      select metadata_hash, null from entities where kind = r.kind and name = r.subject
      union all
      select updated_at::text, null from users
        where r.kind = 'profile' and address = r.subject and status = 'active'
    ) now
    where r.settled_at is null
    order by r.created_at, r.id
    limit ${MAX_LISTED}`
}

/** Puts a report away. @returns whether there was such an open one. */
export async function settleReport(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  id: string,
): Promise<boolean> {
  const rows = await db.sql`
    update world_reports set settled_at = ${clock().toISOString()} where id = ${id} and settled_at is null returning id`
  return rows.length > 0
}
