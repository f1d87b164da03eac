import type { Context } from '../context.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { requireSession } from '../identity/require-session.ts'

/**
 * The account that the request is for, which is the one that is signed in. A page names it, because another tab may
 * have signed in as somebody else since: nobody's work may end up with another account. First line of every verb here.
 *
 * @throws Failure('unauthenticated'), Failure('forbidden')
 */
export function requireOwner(ctx: Pick<Context, 'session'>, account: Address): Address {
  if (requireSession(ctx).address !== account) {
    throw new Failure('forbidden', 'This browser is signed in as another account now')
  }
  return account
}
