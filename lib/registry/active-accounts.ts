import type { Services } from '../context.ts'
import type { Address } from '../domain/entity.ts'

/** Owners of published entities, those of the most first. */
export async function activeAccounts(
  { db }: Pick<Services, 'db'>,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): Promise<readonly { readonly address: Address; readonly published: number }[]> {
  return db.sql<{ address: Address; published: number }[]>`
    select address, published from accounts
    where published > 0
    order by published desc, address limit ${limit} offset ${offset}`
}
