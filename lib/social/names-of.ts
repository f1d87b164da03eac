import type { Services } from '../context.ts'
import type { Address } from '../domain/entity.ts'

/** What people call themselves, by address; without those who are gone and those who said nothing. */
export async function namesOf(
  { db }: Pick<Services, 'db'>,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, string>> {
  if (addresses.length === 0) return new Map()
  const rows = await db.sql<{ address: Address; name: string }[]>`
    select address, split_part(search_text, E'\n', 1) as name from users
    where address = any(${[...new Set(addresses)]}) and status = 'active' and search_text <> ''`
  return new Map(rows.map(({ address, name }) => [address, name]))
}
