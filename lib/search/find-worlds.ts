import type { Address } from '../domain/entity.ts'
import { matchOf, type WorldHit } from './hit.ts'
import type { QueryText } from './query-text.ts'
import type { FindOptions, SearchSql } from './search-sql.ts'

/** Active Worlds by slug, name and description. */
export async function findWorlds(
  sql: SearchSql,
  { text, beginning, part, fuzzy }: QueryText,
  { alike, most }: FindOptions,
): Promise<readonly WorldHit[]> {
  const lower = text.toLowerCase()
  const rows = await sql<
    { id: string; slug: string; title: string; owner: Address; entry_path: string; rank: number }[]
  >`
    with candidates as (
      (select id, 2 as rank from worlds where slug like ${beginning} and status = 'active' limit ${most})
      ${
        fuzzy
          ? sql`union all
            (select id, 3 from worlds where search_text like ${part} and status = 'active' limit ${most})`
          : sql``
      }
      ${
        alike
          ? sql`union all
            (select id, 4 from worlds where ${lower} <% search_text and status = 'active' limit ${most})`
          : sql``
      }
    ), best as (
      select id, min(rank) as rank from candidates group by id
    )
    select w.id, w.slug, coalesce(w.manifest ->> 'name', w.slug) as title, w.owner, w.entry_path,
      case when w.slug = ${lower} or lower(w.manifest ->> 'name') = ${lower} then 1 else rank end as rank
    from best join worlds w on w.id = best.id
    order by 6, w.updated_at desc, w.id limit ${most}`
  return rows.map(({ id, slug, title, owner, entry_path, rank }) => ({
    kind: 'world',
    match: matchOf(rank),
    id,
    slug,
    title,
    owner,
    entryPath: entry_path,
  }))
}
