import type { Address } from '#lib/protocol/entity.ts'
import { matchOf, TYPO_RANK, type WorldHit } from './hit.ts'
import { type FindOptions, inTime, type QueryText, type SearchSql, withMisspellings } from './query.ts'

interface Row {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly owner: Address
  readonly rank: number
}

/** Finds active Worlds by slug, name and description. */
export async function findWorlds(
  sql: SearchSql,
  query: QueryText,
  options: FindOptions,
): Promise<readonly WorldHit[]> {
  const { most } = options
  const rows = await withMisspellings(
    await worded(sql, query, most),
    options,
    ({ id }) => id,
    () => misspelled(sql, query.text.toLowerCase(), most),
  )
  return rows.map(({ slug, title, owner, rank }) => ({
    kind: 'world',
    match: matchOf(rank),
    slug,
    title,
    owner,
  }))
}

function worded(
  sql: SearchSql,
  { text, beginning, part, fuzzy }: QueryText,
  most: number,
): Promise<readonly Row[]> {
  const lower = text.toLowerCase()
  return sql<Row[]>`
    with candidates as (
      (select id, 2 as rank from worlds where slug like ${beginning} and status = 'active' limit ${most})
      ${
        fuzzy
          ? sql`union all
            (select id, 3 from worlds where search_text like ${part} and status = 'active' limit ${most})`
          : sql``
      }
    ), best as (
      select id, min(rank) as rank from candidates group by id
    )
    select w.id, w.slug, coalesce(w.manifest ->> 'name', w.slug) as title, w.owner,
      case when w.slug = ${lower} or lower(w.manifest ->> 'name') = ${lower} then 1 else rank end as rank
    from best join worlds w on w.id = best.id
    order by 5, w.updated_at desc, w.id limit ${most}`
}

/** Fuzzy matches, nearest first. */
function misspelled(sql: SearchSql, lower: string, most: number): Promise<readonly Row[]> {
  return inTime(
    sql,
    (own) => own<Row[]>`
    select id, slug, coalesce(manifest ->> 'name', slug) as title, owner, ${TYPO_RANK}::int as rank
    from worlds where ${lower} <% search_text and status = 'active'
    order by word_similarity(${lower}, search_text) desc, id limit ${most}`,
  )
}
