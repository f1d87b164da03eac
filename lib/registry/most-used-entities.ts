import type { Services } from '../context.ts'
import type { EntityListInput, ListedEntity } from './newest-entities.ts'

/** Published entities that published connectors name, those of the most connectors first. */
export async function mostUsedEntities(
  { db }: Pick<Services, 'db'>,
  { kind, formatHash, limit, offset = 0 }: Omit<EntityListInput, 'kind'> & Partial<EntityListInput>,
): Promise<readonly ListedEntity[]> {
  const { sql } = db
  const ofFormat = formatHash === undefined ? undefined : sql`and format_hash = ${formatHash}`
  // Only connectors have a format, and its own index comes in the same order.
  const wanted = ofFormat ?? (kind === undefined ? sql`` : sql`and kind = ${kind}`)
  return sql<ListedEntity[]>`
    select e.kind, e.name, e.owner, used.used_by as "usedBy"
    from (
      select kind, name, used_by from entity_uses
      where used_by > 0 ${wanted}
      order by used_by desc, name, kind limit ${limit} offset ${offset}
    ) used
    join entities e using (kind, name)
    order by used.used_by desc, e.name, e.kind`
}
