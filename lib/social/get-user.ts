import { and, eq, ne } from 'drizzle-orm'
import type { Services } from '../context.ts'
import { users } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { toUser, type User } from './user.ts'

/** @throws Failure('not_found') for an address that never signed in, and for a deleted user. */
export async function getUser(
  { db, config }: Pick<Services, 'db' | 'config'>,
  input: { address: Address },
): Promise<User> {
  const [row] = await db.orm
    .select()
    .from(users)
    .where(and(eq(users.address, input.address), ne(users.status, 'deleted')))
  if (row === undefined) throw new Failure('not_found', 'No such user')
  return toUser(config, row)
}
