import type { Address, Hash } from '../domain/entity.ts'
import type { WriterSql } from './writer.ts'

/** What a change of the entities touched. */
export interface Touched {
  readonly owners: ReadonlySet<Address>
  readonly formats: ReadonlySet<Hash>
}

/**
 * Counts the accounts and formats that a change touched anew, from the entities as they are now in the same
 * transaction: nothing to drift, however often blocks come and go.
 */
export const refreshAggregates = async (sql: WriterSql, { owners, formats }: Touched): Promise<void> => {
  if (owners.size > 0) {
    const list = [...owners]
    await sql`
      delete from accounts where address = any(${list})
        and not exists (select 1 from entities where owner = accounts.address)`
    await sql`
      insert into accounts (address, published)
      select owner, count(*)::int from entities where owner = any(${list}) group by owner
      on conflict (address) do update set published = excluded.published`
  }
  if (formats.size > 0) {
    const list = [...formats]
    await sql`
      delete from formats where format_hash = any(${list})
        and not exists (select 1 from entities where format_hash = formats.format_hash)`
    await sql`
      update formats set connectors = n.connectors
      from (select format_hash, count(*)::int as connectors from entities
            where format_hash = any(${list}) group by format_hash) n
      where formats.format_hash = n.format_hash`
  }
}
