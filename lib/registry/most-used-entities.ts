import type { Services } from '../context.ts'
import type { EntityListInput, ListedEntity } from './newest-entities.ts'

/** Published entities that published connectors name, those of the most connectors first. */
export async function mostUsedEntities(
  { db }: Pick<Services, 'db'>,
  { kind, formatHash, limit, offset = 0 }: Omit<EntityListInput, 'kind'> & Partial<EntityListInput>,
): Promise<readonly ListedEntity[]> {
  const { sql } = db
  return sql<ListedEntity[]>`
    select e.kind, e.name, e.owner, used.by as "usedBy"
    from (
      select kind, name, count(*)::int as by from entity_references
      ${kind === undefined ? sql`` : sql`where kind = ${kind}`}
      group by kind, name
    ) used
    join entities e using (kind, name)
    ${formatHash === undefined ? sql`` : sql`where e.format_hash = ${formatHash}`}
    order by used.by desc, e.name, e.kind limit ${limit} offset ${offset}`
}
