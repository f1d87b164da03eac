import type { Services } from '../context.ts'
import type { Address, EntityKind, Hash } from '../domain/entity.ts'

/** What has a page of its own because it is published, the newest entities first. */
export interface PublishedPages {
  readonly entities: readonly { readonly kind: EntityKind; readonly name: string }[]
  readonly formats: readonly Hash[]
  readonly accounts: readonly Address[]
}

/** @param limit Of entities, of formats and of accounts alike. */
export async function listPages(
  { db }: Pick<Services, 'db'>,
  { limit }: { readonly limit: number },
): Promise<PublishedPages> {
  const { sql } = db
  const [entities, formats, accounts] = await Promise.all([
    sql<{ kind: EntityKind; name: string }[]>`
      select kind, name from entities order by block_number desc, tx_index desc, log_index desc limit ${limit}`,
    sql<{ format_hash: Hash }[]>`
      select format_hash from formats where connectors > 0 order by connectors desc, format_hash limit ${limit}`,
    sql<{ address: Address }[]>`
      select address from accounts where published > 0 order by published desc, address limit ${limit}`,
  ])
  return {
    entities,
    formats: formats.map(({ format_hash }) => format_hash),
    accounts: accounts.map(({ address }) => address),
  }
}
