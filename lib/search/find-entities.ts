import type { Address, EntityKind } from '../domain/entity.ts'
import { type EntityHit, matchOf } from './hit.ts'
import type { QueryText } from './query-text.ts'
import type { FindOptions, SearchSql } from './search-sql.ts'

/**
 * Entities of one kind by name. Drafts only by their exact name: they are work in progress, and their owners know
 * what they are called.
 */
export async function findEntities(
  sql: SearchSql,
  kind: EntityKind,
  { text, beginning, part, fuzzy }: QueryText,
  { alike, most }: FindOptions,
): Promise<readonly EntityHit[]> {
  const lower = text.toLowerCase()
  const rows = await sql<{ name: string; owner: Address; draft: boolean; rank: number }[]>`
    with candidates as (
      (select name, owner, false as draft, 2 as rank from entities
        where kind = ${kind} and lower(name) like ${beginning}
        order by lower(name) limit ${most})
      union all
      (select name, owner, not exists (select from entities e where e.kind = drafts.kind and e.name = drafts.name), 0
        from drafts where kind = ${kind} and name = ${text})
      ${
        fuzzy
          ? sql`union all
            (select name, owner, false, 3 from entities
              where kind = ${kind} and name ilike ${part} limit ${most})`
          : sql``
      }
      ${
        alike
          ? sql`union all
            (select name, owner, false, 4 from entities
              where kind = ${kind} and (name % ${text} or ${text} <% name) limit ${most})`
          : sql``
      }
    )
    -- Where a name is both, what is on chain counts, not the draft.
    select name, owner, draft, rank from (
      select distinct on (name) name, owner, draft,
        case when name = ${text} then 0 when lower(name) = ${lower} then 1 else rank end as rank,
        case when rank = 4 then ${alike ? sql`- word_similarity(${text}, name)` : sql`0`} else 0 end as nearness
      from candidates order by name, draft, rank
    ) best
    order by rank, nearness, length(name), name limit ${most}`
  return rows.map(({ name, owner, draft, rank }) => ({ kind, match: matchOf(rank), name, owner, draft }))
}
