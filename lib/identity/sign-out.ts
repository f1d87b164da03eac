import { eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { sessions } from '../db/schema/index.ts'
import { requireSession } from './require-session.ts'

/**
 * Ends the session of the request; others of the same person stay.
 *
 * @throws Failure('unauthenticated')
 */
export async function signOut(ctx: Context): Promise<void> {
  const { id } = requireSession(ctx)
  await ctx.db.orm.delete(sessions).where(eq(sessions.selector, id))
}
