import { and, eq } from 'drizzle-orm'
import type { Orm } from '../db/client.ts'
import { users } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'

export type Transaction = Parameters<Parameters<Orm['transaction']>[0]>[0]

/**
 * Makes one thing at a time happen to an account's workspaces. First statement of every transaction that changes them:
 * quotas hold, and what is saved while the account is deleted is deleted too.
 *
 * @throws Failure('unauthenticated') when the account has been deleted or suspended since the request came in.
 */
export async function lockAccount(tx: Transaction, owner: Address): Promise<void> {
  const [found] = await tx
    .select({ address: users.address })
    .from(users)
    .where(and(eq(users.address, owner), eq(users.status, 'active')))
    .for('no key update')
  if (found === undefined) throw new Failure('unauthenticated', 'Sign in first')
}
