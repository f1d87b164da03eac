import type { Hash } from '../../protocol/entity.ts'
import { parseHash } from '../../protocol/hash.ts'
import { type FormatHit, matchOf } from './hit.ts'
import type { FindOptions, QueryText, SearchSql } from './query.ts'

/** Finds formats by hash, by its prefix, or by the labels of their values. */
export async function findFormats(
  sql: SearchSql,
  { text, part, fuzzy }: QueryText,
  { most }: FindOptions,
): Promise<readonly FormatHit[]> {
  const hash = parseHash(text) ?? null
  const digits = /^(?:0x)?([0-9a-f]{4,63})$/i.exec(text)?.[1]?.toLowerCase()
  // Labels are JSON strings: the quote anchors the match at the start of a label.
  const label = `%"${part.slice(1)}`
  const rows = await sql<
    { format_hash: Hash; scalars: string[]; count: number; connectors: number; rank: number }[]
  >`
    with candidates as (
      (select *, 0 as rank from formats where format_hash = ${hash} and connectors > 0)
      ${
        digits === undefined
          ? sql``
          : sql`union all
            (select *, 2 from formats where format_hash like ${`0x${digits}%`} and connectors > 0 limit ${most})`
      }
      ${
        fuzzy
          ? sql`union all
            (select *, 3 from formats where scalars::text ilike ${label} and connectors > 0 limit ${most})`
          : sql``
      }
    )
    select format_hash, scalars, coalesce(scalars_count, jsonb_array_length(scalars)) as count, connectors,
      min(rank) as rank
    from candidates group by format_hash, scalars, scalars_count, connectors
    order by min(rank), connectors desc, format_hash limit ${most}`
  return rows.map(({ format_hash, scalars, count, connectors, rank }) => ({
    kind: 'format',
    match: matchOf(rank),
    formatHash: format_hash,
    scalars,
    scalarsCount: count,
    connectors,
  }))
}
