import { visible } from '#lib/core/entities/first-shown.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import { type EntityHit, matchOf } from './hit.ts'
import {
  CANDIDATES,
  type FindOptions,
  inTime,
  type QueryText,
  type SearchSql,
  withMisspellings,
} from './query.ts'

interface Row {
  readonly name: string
  readonly owner: Address
  readonly draft: boolean
  readonly rank: number
}

/** Finds entities of one kind by name; drafts by their exact name only, because they are work in progress. Hidden ones are not found. */
export async function findEntities(
  sql: SearchSql,
  kind: EntityKind,
  query: QueryText,
  options: FindOptions,
): Promise<readonly EntityHit[]> {
  const { most } = options
  const rows = await withMisspellings(
    await named(sql, kind, query, most),
    options,
    ({ name }) => name,
    () => misspelled(sql, kind, query.text, most),
  )
  return rows.map(({ name, owner, draft, rank }) => ({ kind, match: matchOf(rank), name, owner, draft }))
}

function named(
  sql: SearchSql,
  kind: EntityKind,
  { text, beginning, part, fuzzy }: QueryText,
  most: number,
): Promise<readonly Row[]> {
  return sql<Row[]>`
    with candidates as (
      (select name, owner, false as draft, 2 as rank from entities e
        where kind = ${kind} and lower(name) like ${beginning} and ${visible(sql)}
        order by lower(name) limit ${most})
      union all
      -- A published entity shadows the draft of its name.
      (select name, owner, true, 0 from drafts d where kind = ${kind} and name = ${text}
        and not exists (select from entities e where e.kind = d.kind and e.name = d.name))
      ${
        fuzzy
          ? sql`union all
            (select name, owner, false, 3 from entities e
              where kind = ${kind} and name ilike ${part} and ${visible(sql)} limit ${most})`
          : sql``
      }
    )
    select name, owner, draft, rank from (
      select distinct on (name) name, owner, draft,
        case when name = ${text} then 0 when lower(name) = ${text.toLowerCase()} then 1 else rank end as rank
      from candidates order by name, draft, rank
    ) best
    order by rank, length(name), name limit ${most}`
}

/** Fuzzy matches, nearest first. */
function misspelled(sql: SearchSql, kind: EntityKind, text: string, most: number): Promise<readonly Row[]> {
  return inTime(
    sql,
    (own) => own<Row[]>`
    select name, owner, false as draft, 4 as rank from (
      select name, owner from entities e
      where kind = ${kind} and (${text} <% name or name % ${text}) and ${visible(own)} limit ${CANDIDATES}
    ) near
    order by word_similarity(${text}, name) desc, length(name), name limit ${most}`,
  )
}
