import { and, eq, ne } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { sessions } from '../db/schema/index.ts'
import { requireSession } from './require-session.ts'

/**
 * Ends every session of the signed-in person but the one that asks. Access tokens of the chain API, which last
 * minutes, run out by themselves.
 *
 * @throws Failure('unauthenticated')
 */
export async function signOutOthers(ctx: Context): Promise<void> {
  const { id, address } = requireSession(ctx)
  await ctx.db.orm.delete(sessions).where(and(eq(sessions.address, address), ne(sessions.selector, id)))
}
