import { and, eq } from 'drizzle-orm'
import type { Services } from '../context.ts'
import { users } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'

/** Whether an operator has barred this account. */
export async function isSuspended({ db }: Pick<Services, 'db'>, address: Address): Promise<boolean> {
  const rows = await db.orm
    .select({ address: users.address })
    .from(users)
    .where(and(eq(users.address, address), eq(users.status, 'suspended')))
  return rows.length > 0
}
