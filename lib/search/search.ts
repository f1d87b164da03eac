import type { Context } from '../context.ts'
import { findEntities } from './find-entities.ts'
import { findFormats } from './find-formats.ts'
import { findPeople } from './find-people.ts'
import { findWorlds } from './find-worlds.ts'
import { type Hit, SEARCH_KINDS, type SearchKind } from './hit.ts'
import { type QueryText, readQueryText } from './query-text.ts'
import type { SearchSql } from './search-sql.ts'

/** Time for the whole search; a query that takes longer helps nobody. */
const PATIENCE_MS = 2000
/** When so much time is gone, kinds that are left are not searched for misspellings: that grows with the network. */
const MISSPELLINGS_MS = 300
/** How alike a misspelled word must be, from 0 to 1. */
const ALIKE = 0.45
/**
 * The same of whole texts. Of a short one a mistake changes a third; of a longer one so little in common means that a
 * hundred names are compared for each that is shown.
 */
const alikeAsAWhole = (text: string): number => (text.length <= SHORT ? 0.3 : ALIKE)
const SHORT = 8

/** Characters: of longer texts nearly everything is a little alike. */
const LONGEST_MISSPELLING = 40

/** Hits of a kind that one search finds at most; whoever finds so many had better say more. */
export const MOST_HITS = 100

export interface Found {
  /** The text that was searched for, as it was understood. */
  readonly text: string
  /** The best first, of every kind. */
  readonly hits: ReadonlyMap<SearchKind, readonly Hit[]>
}

/**
 * Everything that a text may mean: names of entities, people and Worlds, labels of formats, addresses and hashes.
 * Exact ones first, then beginnings, parts and misspellings; the latter where the database has `pg_trgm`.
 *
 * @param input.text Whatever somebody typed: only its first 128 characters count.
 * @param input.kinds All unless said.
 * @param input.most Of each kind, at most `MOST_HITS`.
 */
export async function search(
  ctx: Pick<Context, 'db'>,
  input: { readonly text: string; readonly kinds?: readonly SearchKind[]; readonly most?: number },
): Promise<Found> {
  const query = readQueryText(input.text)
  const kinds = input.kinds ?? SEARCH_KINDS
  const most = Math.min(input.most ?? MOST_HITS, MOST_HITS)
  const hits = new Map<SearchKind, readonly Hit[]>(kinds.map((kind) => [kind, []]))
  if (query.text === '') return { text: '', hits }
  await ctx.db.sql.begin('read only', async (sql) => {
    const [settings] = await sql<{ trigrams: boolean }[]>`
      select set_config('statement_timeout', ${String(PATIENCE_MS)}, true),
        set_config('pg_trgm.word_similarity_threshold', ${String(ALIKE)}, true),
        set_config('pg_trgm.similarity_threshold', ${String(alikeAsAWhole(query.text))}, true),
        exists (select from pg_extension where extname = 'pg_trgm') as trigrams`
    const alike = query.fuzzy && query.text.length <= LONGEST_MISSPELLING && settings?.trigrams === true
    const began = performance.now()
    for (const kind of kinds) {
      const inTime = performance.now() - began < MISSPELLINGS_MS
      hits.set(kind, await findKind(sql, kind, query, { alike: alike && inTime, most }))
    }
  })
  return { text: query.text, hits }
}

function findKind(
  sql: SearchSql,
  kind: SearchKind,
  query: QueryText,
  options: { readonly alike: boolean; readonly most: number },
): Promise<readonly Hit[]> {
  if (kind === 'format') return findFormats(sql, query, options)
  if (kind === 'person') return findPeople(sql, query, options)
  if (kind === 'world') return findWorlds(sql, query, options)
  return findEntities(sql, kind, query, options)
}
