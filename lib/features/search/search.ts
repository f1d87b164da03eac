import type { Context } from '#lib/core/context/context.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { parseHash } from '#lib/protocol/hash.ts'
import { LISTED_KINDS, type ListedKind } from '#lib/protocol/listed-kind.ts'
import { findEntities } from './find-entities.ts'
import { findPeople } from './find-people.ts'
import { findWorlds } from './find-worlds.ts'
import { type FormatHit, type Hit, matchOf } from './hit.ts'
import { type FindOptions, type QueryText, readQueryText, type SearchSql } from './query.ts'

/** Timeout of each query. */
const TIMEOUT_MS = 2000
/** Misspellings are searched in the first milliseconds only, because their cost grows with the network. */
const FUZZY_BUDGET_MS = 300
/** Trigram similarity of misspelled words, from 0 to 1. */
const ALIKE = 0.45
/** Trigram similarity of whole texts: lower for short ones, of which one mistake changes a third. */
function alikeAsAWhole(text: string): number {
  return text.length <= SHORT ? 0.3 : ALIKE
}
const SHORT = 8

/** Texts with more characters are not searched for misspellings. */
const LONGEST_MISSPELLING = 40

/** Maximum number of hits of one kind. */
export const MOST_HITS = 100

export interface SearchResult {
  /** The normalised search text. */
  readonly text: string
  /** Hits by kind, best first. */
  readonly hits: ReadonlyMap<ListedKind, readonly Hit[]>
}

/**
 * Searches names, titles and descriptions of entities and Worlds, names of users, labels of formats, addresses and hashes.
 * Exact matches come first, then prefixes, substrings, words of descriptions and, with `pg_trgm`, misspellings.
 *
 * @param input.text Only the first 128 characters count.
 * @param input.kinds Default: all.
 * @param input.most Of each kind, at most `MOST_HITS`.
 * @param input.descriptions Whether words of descriptions are searched. Default: true.
 */
export async function search(
  ctx: Pick<Context, 'db'>,
  input: {
    readonly text: string
    readonly kinds?: readonly ListedKind[]
    readonly most?: number
    readonly descriptions?: boolean
  },
): Promise<SearchResult> {
  const { descriptions = true } = input
  const query = { ...readQueryText(input.text), ...(!descriptions && { words: [] }) }
  const kinds = input.kinds ?? LISTED_KINDS
  const most = Math.min(input.most ?? MOST_HITS, MOST_HITS)
  const hits = new Map<ListedKind, readonly Hit[]>(kinds.map((kind) => [kind, []]))
  if (query.text === '') return { text: '', hits }
  await ctx.db.sql.begin('read only', async (sql) => {
    const [settings] = await sql<{ trigrams: boolean }[]>`
      select set_config('statement_timeout', ${String(TIMEOUT_MS)}, true),
        set_config('pg_trgm.word_similarity_threshold', ${String(ALIKE)}, true),
        set_config('pg_trgm.similarity_threshold', ${String(alikeAsAWhole(query.text))}, true),
        exists (select from pg_extension where extname = 'pg_trgm') as trigrams`
    const alike = query.fuzzy && query.text.length <= LONGEST_MISSPELLING && settings?.trigrams === true
    const began = performance.now()
    for (const kind of kinds) {
      const inTime = performance.now() - began < FUZZY_BUDGET_MS
      hits.set(kind, await findKind(sql, kind, query, { alike: alike && inTime, most }))
    }
  })
  return { text: query.text, hits }
}

function findKind(
  sql: SearchSql,
  kind: ListedKind,
  query: QueryText,
  options: { readonly alike: boolean; readonly most: number },
): Promise<readonly Hit[]> {
  if (kind === 'format') return findFormats(sql, query, options)
  if (kind === 'person') return findPeople(sql, query, options)
  if (kind === 'world') return findWorlds(sql, query, options)
  return findEntities(sql, kind, query, options)
}

/** Finds formats by hash, by its prefix, or by the labels of their values. */
async function findFormats(
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
