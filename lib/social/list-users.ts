import { asc, eq } from 'drizzle-orm'
import type { Services } from '../context.ts'
import { users } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import type { Page } from './page.ts'

/** Active users in the order of their addresses. */
export async function listUsers(
  { db }: Pick<Services, 'db'>,
  { page, limit }: Page,
): Promise<readonly Address[]> {
  const rows = await db.orm
    .select({ address: users.address })
    .from(users)
    .where(eq(users.status, 'active'))
    .orderBy(asc(users.address))
    .limit(limit)
    .offset(page * limit)
  return rows.map((row) => row.address as Address)
}
