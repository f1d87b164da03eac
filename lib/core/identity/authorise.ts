import type { Context, Role, Services, Session } from '#lib/core/context/context.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { FRESH_MS } from './client-network.ts'

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

/** Returns whether an account counts apart from the client address that it comes from. */
export function isEstablished(createdAt: Date, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > FRESH_MS
}

/** Returns what operators and time made of an account; of an unknown one, that it is fresh. */
export async function standingOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  address: Address,
): Promise<{ readonly isSuspended: boolean; readonly isEstablished: boolean }> {
  const [row] = await db.sql<{ status: string; createdMs: number }[]>`
    select status, (extract(epoch from created_at) * 1000)::float8 as "createdMs"
    from users where address = ${address}`
  return {
    isSuspended: row?.status === 'suspended',
    isEstablished: row !== undefined && isEstablished(new Date(row.createdMs), clock()),
  }
}
