import type { Context } from '../context.ts'
import type { Address } from '../domain/entity.ts'
import type { ReportReason } from './report-world.ts'

export interface OpenReport {
  readonly id: string
  readonly worldId: string
  readonly slug: string
  readonly owner: Address
  readonly reason: ReportReason
  readonly words: string
  /** Null for a visitor. */
  readonly reporter: Address | null
  /** The World has other files by now. */
  readonly outdated: boolean
  readonly createdMs: number
}

const MOST = 500

/** Reports nobody has dealt with, on Worlds that are still there: oldest first, at most 500. */
export async function openReports({ db }: Pick<Context, 'db'>): Promise<readonly OpenReport[]> {
  return db.sql<OpenReport[]>`
    select r.id, r.world_id as "worldId", w.slug, w.owner, r.reason, r.words, r.reporter,
      r.bundle_hash <> w.bundle_hash as outdated,
      (extract(epoch from r.created_at) * 1000)::float8 as "createdMs"
    from world_reports r join worlds w on w.id = r.world_id
    where r.settled_at is null and w.status = 'active'
    order by r.created_at, r.id
    limit ${MOST}`
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
