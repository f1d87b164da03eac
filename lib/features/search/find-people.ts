import { parseAddress } from '#lib/protocol/address.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { matchOf, type PersonHit, TYPO_RANK } from './hit.ts'
import {
  CANDIDATES,
  type FindOptions,
  inTime,
  type QueryText,
  type SearchSql,
  withMisspellings,
} from './query.ts'

interface Row {
  readonly address: Address
  readonly names: string | null
  readonly published: number
  readonly rank: number
}

/** Finds accounts by address or its prefix, and users by name. */
export async function findPeople(
  sql: SearchSql,
  query: QueryText,
  options: FindOptions,
): Promise<readonly PersonHit[]> {
  const { most } = options
  const rows = await withMisspellings(
    await matchUsers(sql, query, most),
    options,
    ({ address }) => address,
    () => misspelled(sql, query.text, most),
  )
  return rows.map(({ address, names, published, rank }) => ({
    kind: 'person',
    match: matchOf(rank),
    address,
    name: names?.split('\n', 1)[0] || undefined,
    published,
  }))
}

function matchUsers(
  sql: SearchSql,
  { text, beginning, part, fuzzy }: QueryText,
  most: number,
): Promise<readonly Row[]> {
  // Every address has a page, so every address is found.
  const address = parseAddress(text) ?? null
  const digits = /^(?:0x)?([0-9a-f]{4,39})$/i.exec(text)?.[1]?.toLowerCase()
  const start = `0x${digits ?? ''}%`
  const active = sql`status = 'active'`
  return sql<Row[]>`
    with candidates as (
      (select ${address}::text as address, 0 as rank where ${address}::text is not null)
      ${
        digits === undefined
          ? sql``
          : sql`union all (select address, 2 from accounts where address like ${start} limit ${most})
            union all (select address, 2 from users where address like ${start} and ${active} limit ${most})`
      }
      ${
        fuzzy
          ? sql`union all
            (select address, case when search_text ilike ${beginning} then 2 else 3 end from users
              where search_text ilike ${part} and ${active} limit ${most})`
          : sql`union all
            (select address, 2 from users where search_text ilike ${beginning} and ${active} limit ${most})`
      }
    ), best as (
      select address, min(rank) as rank from candidates group by address
    )
    select best.address, u.search_text as names, coalesce(a.published, 0) as published,
      case when lower(split_part(u.search_text, E'\n', 1)) = ${text.toLowerCase()} then 1 else rank end as rank
    from best
    left join users u on u.address = best.address and u.status = 'active'
    left join accounts a on a.address = best.address
    order by 4, published desc, best.address limit ${most}`
}

/** Fuzzy matches, nearest first. */
function misspelled(sql: SearchSql, text: string, most: number): Promise<readonly Row[]> {
  return inTime(
    sql,
    (own) => own<Row[]>`
    select near.address, names, coalesce(a.published, 0) as published, ${TYPO_RANK}::int as rank
    from (
      select address, search_text as names from users
      where (${text} <% search_text or search_text % ${text}) and status = 'active' limit ${CANDIDATES}
    ) near left join accounts a on a.address = near.address
    order by word_similarity(${text}, names) desc, near.address limit ${most}`,
  )
}
