import { joinShown, shownColumns } from '#lib/core/entities/author-words.ts'
import { visible } from '#lib/core/entities/first-shown.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import { DESCRIPTION_RANK, type EntityHit, matchOf, TYPO_RANK } from './hit.ts'
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
  readonly title: string | null
  readonly owner: Address
  readonly draft: boolean
  readonly rank: number
}

/**
 * Finds entities of one kind by name, title and the words of their descriptions; drafts by their exact name only, because
 * they are work in progress. Hidden ones are not found.
 */
export async function findEntities(
  sql: SearchSql,
  kind: EntityKind,
  query: QueryText,
  options: FindOptions,
): Promise<readonly EntityHit[]> {
  const { most } = options
  const byName = await matchNames(sql, kind, query, most)
  const rows = await withMisspellings(
    byName,
    options,
    ({ name }) => name,
    () => misspelled(sql, kind, query.text, most),
  )
  const others =
    query.fuzzy && query.words.length > 0 && byName.length < most
      ? await described(sql, kind, query, most)
      : []
  return inRank([...rows, ...others])
    .slice(0, most)
    .map(({ name, title, owner, draft, rank }) => ({
      kind,
      match: matchOf(rank),
      name,
      ...(title !== null && { title }),
      owner,
      draft,
    }))
}

function matchNames(
  sql: SearchSql,
  kind: EntityKind,
  { text, beginning, part, fuzzy }: QueryText,
  most: number,
): Promise<readonly Row[]> {
  const lower = text.toLowerCase()
  return sql<Row[]>`
    with candidates as (
      (select name, search_title, owner, false as draft, 2 as rank from entities e
        where kind = ${kind} and lower(name) like ${beginning} and ${visible(sql)}
        order by lower(name) limit ${most})
      union all
      (select name, search_title, owner, false, 2 from entities e
        where kind = ${kind} and search_title like ${beginning} and ${visible(sql)}
        order by search_title limit ${most})
      ${
        kind === 'connector'
          ? sql`union all
            (select name, search_title, owner, false, 2 from ${shownTitles(sql)} e
              where search_title like ${beginning} and ${visible(sql)} order by search_title limit ${most})`
          : sql``
      }
      union all
      -- A published entity shadows the draft of its name.
      (select name, null, owner, true, 0 from drafts d where kind = ${kind} and name = ${text}
        and not exists (select from entities e where e.kind = d.kind and e.name = d.name))
      ${
        fuzzy
          ? sql`union all
            (select name, search_title, owner, false, 3 from entities e
              where kind = ${kind} and name ilike ${part} and ${visible(sql)} limit ${most})
            union all
            (select name, search_title, owner, false, 3 from entities e
              where kind = ${kind} and search_title like ${part} and ${visible(sql)} limit ${most})`
          : sql``
      }
      ${
        fuzzy && kind === 'connector'
          ? sql`union all
            (select name, search_title, owner, false, 3 from ${shownTitles(sql)} e
              where search_title like ${part} and ${visible(sql)} limit ${most})`
          : sql``
      }
    ), best as (
      select distinct on (name) name, owner, draft,
        case when name = ${text} then 0
          when lower(name) = ${lower} or search_title = ${lower} then 1 else rank end as rank
      from candidates order by name, draft, rank
    ), page as (select * from best order by rank, length(name), name limit ${most})
    select page.name, page.owner, page.draft, page.rank, ${shownColumns(sql)}
    from page left join entities e on not page.draft and e.kind = ${kind} and e.name = page.name ${joinShown(sql)}
    order by page.rank, length(page.name), page.name`
}

/** The entities whose descriptions have words that begin with those of the text. */
function described(
  sql: SearchSql,
  kind: EntityKind,
  { words }: QueryText,
  most: number,
): Promise<readonly Row[]> {
  return inTime(sql, (own) => {
    const hasWords = words
      .map((word) => own`search_words like ${`% ${word}%`}`)
      .reduce((all, each) => own`${all} and ${each}`)
    return own<Row[]>`
      with page as (
        select name, owner from entities e where kind = ${kind} and ${hasWords} and ${visible(own)} limit ${most}
      )
      select page.name, page.owner, false as draft, ${DESCRIPTION_RANK}::int as rank, ${shownColumns(own)}
      from page join entities e on e.kind = ${kind} and e.name = page.name ${joinShown(own)}
      order by length(page.name), page.name`
  })
}

/** Rows from the best rank to the last, each name once. */
function inRank(rows: readonly Row[]): readonly Row[] {
  const best = new Map<string, Row>()
  for (const row of rows.toSorted((a, b) => a.rank - b.rank)) if (!best.has(row.name)) best.set(row.name, row)
  return [...best.values()]
}

/** Pieces whose owners chose another title for this site. */
function shownTitles(sql: SearchSql) {
  return sql`(select e.kind, e.name, e.owner, shown.search_title from entities e
    join shown_pieces shown on e.kind = 'connector' and shown.name = e.name and shown.owner = e.owner
      and shown.content_hash = e.content_hash)`
}

/** Fuzzy matches, nearest first. */
function misspelled(sql: SearchSql, kind: EntityKind, text: string, most: number): Promise<readonly Row[]> {
  const lower = text.toLowerCase()
  return inTime(
    sql,
    (own) => own<Row[]>`
    with near as (
      (select name, search_title from entities e
        where kind = ${kind} and (${text} <% name or name % ${text}) and ${visible(own)} limit ${CANDIDATES})
      union
      (select name, search_title from entities e
        where kind = ${kind} and ${lower} <% search_title and ${visible(own)} limit ${CANDIDATES})
      ${
        kind === 'connector'
          ? own`union
            (select name, search_title from ${shownTitles(own)} e
              where ${lower} <% search_title and ${visible(own)} limit ${CANDIDATES})`
          : own``
      }
    ), page as (
      select name, max(greatest(word_similarity(${text}, name), word_similarity(${lower}, search_title))) as likeness
      from near group by name order by likeness desc, length(name), name limit ${most}
    )
    select page.name, e.owner, false as draft, ${TYPO_RANK}::int as rank, ${shownColumns(own)}
    from page join entities e on e.kind = ${kind} and e.name = page.name ${joinShown(own)}
    order by page.likeness desc, length(page.name), page.name`,
  )
}
