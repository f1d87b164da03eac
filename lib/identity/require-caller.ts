import type { Context } from '../context.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'

/**
 * The account that a valid token names. First line of every verb that changes something.
 *
 * @throws Failure('unauthenticated')
 */
export function requireCaller(ctx: Pick<Context, 'caller'>): Address {
  if (ctx.caller === undefined) {
    throw new Failure('unauthenticated', 'Missing, invalid or expired bearer token: log in at /auth first')
  }
  return ctx.caller
}
