import type { Services } from '../context.ts'
import type { Address } from '../domain/entity.ts'

/** Whether an operator has barred this account. */
export async function isSuspended({ db }: Pick<Services, 'db'>, address: Address): Promise<boolean> {
  const rows = await db.sql`select 1 from users where address = ${address} and status = 'suspended'`
  return rows.length > 0
}
