import type { Context, Role, Services, Session } from '#lib/core/context/context.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

/** Returns the account of the token. First line of every verb that writes. @throws Failure('unauthenticated') */
export function requireCaller(ctx: Pick<Context, 'caller'>): Address {
  if (ctx.caller === undefined) {
    throw new Failure('unauthenticated', 'Missing, invalid or expired bearer token: log in at /auth first')
  }
  return ctx.caller
}

/**
 * Returns the session of the request. First line of every verb of the services API that acts for a user.
 *
 * @throws Failure('unauthenticated')
 */
export function requireSession(ctx: Pick<Context, 'session'>): Session {
  if (ctx.session === undefined) throw new Failure('unauthenticated', 'Sign in first')
  return ctx.session
}

/** Returns the roles of an account; administrators are configured. */
export function rolesOf(config: Pick<Config, 'adminAddresses'>, address: Address): readonly Role[] {
  return config.adminAddresses.includes(address) ? ['user', 'admin'] : ['user']
}

/** Whether an operator suspended this account. */
export async function isSuspended({ db }: Pick<Services, 'db'>, address: Address): Promise<boolean> {
  const rows = await db.sql`select 1 from users where address = ${address} and status = 'suspended'`
  return rows.length > 0
}
