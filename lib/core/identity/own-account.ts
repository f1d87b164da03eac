import { and, eq } from 'drizzle-orm'
import type { Context } from '#lib/core/context/context.ts'
import type { Orm } from '#lib/platform/db/client.ts'
import { users } from '#lib/platform/db/schema/index.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { requireSession } from './authorise.ts'

/**
 * Checks that the request's account is the session's: another tab may have signed in as another account since. Called
 * first by every operation on what an account owns.
 *
 * @throws Failure('unauthenticated'), Failure('forbidden')
 */
export function requireOwner(ctx: Pick<Context, 'session'>, account: Address): Address {
  if (requireSession(ctx).address !== account) {
    throw new Failure('forbidden', 'Signed in as another account than the one of this request')
  }
  return account
}

export type Transaction = Parameters<Parameters<Orm['transaction']>[0]>[0]

/**
 * Serialises the transactions that change what an account owns; the first statement of each.
 *
 * @throws Failure('unauthenticated') when the account has been deleted or suspended since the request arrived.
 */
export async function lockAccount(tx: Transaction, owner: Address): Promise<void> {
  const [user] = await tx
    .select({ address: users.address })
    .from(users)
    .where(and(eq(users.address, owner), eq(users.status, 'active')))
    .for('no key update')
  if (user === undefined) throw new Failure('unauthenticated', 'Sign in first')
}
