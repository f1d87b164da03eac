import { and, desc, eq, gt } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { sessions } from '../db/schema/index.ts'
import { requireSession } from './require-session.ts'

/** More of one person's are live only when a program signs in again and again. */
const MOST = 50

export interface OwnSession {
  readonly createdAt: Date
  readonly expiresAt: Date
  /** The one that asks. */
  readonly current: boolean
}

/**
 * The live sessions of the signed-in person, the newest first, 50 at most.
 *
 * @throws Failure('unauthenticated')
 */
export async function listSessions(ctx: Context): Promise<readonly OwnSession[]> {
  const { id, address } = requireSession(ctx)
  const rows = await ctx.db.orm
    .select({
      selector: sessions.selector,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(and(eq(sessions.address, address), gt(sessions.expiresAt, ctx.clock())))
    .orderBy(desc(sessions.createdAt))
    .limit(MOST)
  return rows.map(({ selector, ...times }) => ({ ...times, current: selector === id }))
}
