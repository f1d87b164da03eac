import type { Address, Hash } from '#lib/protocol/entity.ts'
import type { WriterSql } from './writer.ts'

/** Fields of an entity that the counts depend on. */
export interface Counted {
  readonly owner: Address
  readonly formatHash: Hash | null
}

/** Adds entities of this transaction to the counts, at a cost that does not depend on the size of an account. */
export async function addToAggregates(sql: WriterSql, added: readonly Counted[]): Promise<void> {
  if (added.length === 0) return
  const owners = occurrences(added.map(({ owner }) => owner))
  await sql`
    insert into accounts (address, published)
    select * from unnest(${[...owners.keys()]}::text[], ${[...owners.values()]}::int[])
    on conflict (address) do update set published = accounts.published + excluded.published`
  const formats = occurrences(formatsOf(added))
  if (formats.size === 0) return
  await sql`
    update formats set connectors = connectors + n.more
    from unnest(${[...formats.keys()]}::text[], ${[...formats.values()]}::int[]) n (hash, more)
    where format_hash = n.hash`
}

/** Recounts the accounts and formats of deleted entities from the remaining ones, so that reorgs cause no drift. */
export async function recountAggregates(sql: WriterSql, gone: readonly Counted[]): Promise<void> {
  const owners = [...new Set(gone.map(({ owner }) => owner))]
  if (owners.length > 0) {
    await sql`
      delete from accounts where address = any(${owners})
        and not exists (select 1 from entities where owner = accounts.address)`
    await sql`
      insert into accounts (address, published)
      select owner, count(*)::int from entities where owner = any(${owners}) group by owner
      on conflict (address) do update set published = excluded.published`
  }
  const formats = [...new Set(formatsOf(gone))]
  if (formats.length > 0) {
    await sql`
      delete from formats where format_hash = any(${formats})
        and not exists (select 1 from entities where format_hash = formats.format_hash)`
    await sql`
      update formats set connectors = n.connectors
      from (select format_hash, count(*)::int as connectors from entities
            where format_hash = any(${formats}) group by format_hash) n
      where formats.format_hash = n.format_hash`
  }
}

function formatsOf(entities: readonly Counted[]): Hash[] {
  return entities.flatMap(({ formatHash }) => (formatHash === null ? [] : [formatHash]))
}

function occurrences<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
