import type { Context, Session } from '../context.ts'
import { Failure } from '../domain/failure.ts'

/**
 * The session behind the request. First line of every verb of the services API that acts for somebody.
 *
 * @throws Failure('unauthenticated')
 */
export function requireSession(ctx: Pick<Context, 'session'>): Session {
  if (ctx.session === undefined) throw new Failure('unauthenticated', 'Sign in first')
  return ctx.session
}
