import { and, eq } from 'drizzle-orm'
import type { Services } from '../context.ts'
import { sessions, users } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'

/**
 * Suspends a user, or lifts the suspension. For operators: no request leads here. A suspended user's sessions end at
 * once, and no new one begins; an address that never signed in is barred as well.
 */
export async function setSuspended(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  input: { address: Address; suspended: boolean },
): Promise<void> {
  const { address, suspended } = input
  const now = clock()
  await db.orm.transaction(async (tx) => {
    if (suspended) {
      await tx
        .insert(users)
        .values({ address, status: 'suspended', createdAt: now, updatedAt: now })
        .onConflictDoUpdate({ target: users.address, set: { status: 'suspended' } })
      await tx.delete(sessions).where(eq(sessions.address, address))
    } else {
      await tx
        .update(users)
        .set({ status: 'active' })
        .where(and(eq(users.address, address), eq(users.status, 'suspended')))
    }
  })
}
