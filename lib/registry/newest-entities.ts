import type { Services } from '../context.ts'
import type { Address, EntityKind, Hash } from '../domain/entity.ts'

/** A published entity in a list. */
export interface ListedEntity {
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
  /** Published connectors that name it. */
  readonly usedBy: number
}

export interface EntityListInput {
  readonly kind: EntityKind
  /** Only connectors of this format. */
  readonly formatHash?: Hash | undefined
  readonly limit: number
  /** Entities to leave out at the start. */
  readonly offset?: number
}

/** Published entities of a kind, the newest first. */
export async function newestEntities(
  { db }: Pick<Services, 'db'>,
  { kind, formatHash, limit, offset = 0 }: EntityListInput,
): Promise<readonly ListedEntity[]> {
  const { sql } = db
  return sql<ListedEntity[]>`
    select kind, name, owner, coalesce((
      select used_by from entity_uses u where u.kind = page.kind and u.name = page.name
    ), 0) as "usedBy"
    from (
      select kind, name, owner, block_number, tx_index, log_index from entities
      where kind = ${kind} ${formatHash === undefined ? sql`` : sql`and format_hash = ${formatHash}`}
      order by block_number desc, tx_index desc, log_index desc limit ${limit} offset ${offset}
    ) page
    order by block_number desc, tx_index desc, log_index desc`
}
