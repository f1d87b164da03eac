import type postgres from 'postgres'
import { wordsForSearch } from '#lib/core/indexer/author-words.ts'
import { matchOf } from './hit.ts'

/** Longer names do not exist. */
const MAX_CHARACTERS = 128

/** Words of a search text that are compared with descriptions. */
const MAX_WORDS = 8

/** A search text, prepared for the queries. */
export interface QueryText {
  /** Trimmed single line of at most 128 characters; '' finds nothing. */
  readonly text: string
  /** Patterns for `like`, with wildcards escaped. */
  readonly beginning: string
  readonly part: string
  /** The first words, as descriptions have them. */
  readonly words: readonly string[]
  /** Whether substrings and misspellings are searched: at least three letters or digits. */
  readonly fuzzy: boolean
}

export function readQueryText(typed: string): QueryText {
  const line = typed
    .slice(0, 4 * MAX_CHARACTERS)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const text = [...line].slice(0, MAX_CHARACTERS).join('').trimEnd()
  const literal = text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')
  return {
    text,
    beginning: `${literal}%`,
    part: `%${literal}%`,
    words: wordsForSearch(text)
      .split(' ')
      .slice(1, 1 + MAX_WORDS),
    fuzzy: (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3,
  }
}

/** Transaction of one search. */
export type SearchSql = postgres.TransactionSql

export interface FindOptions {
  /** Whether to search for misspellings, which needs `pg_trgm`. */
  readonly alike: boolean
  /** Maximum number of hits. */
  readonly most: number
}

/** Whether misspellings are not needed: five hits, or an exact one. */
function isEnough(rows: readonly { readonly rank: number }[]): boolean {
  return rows.length >= 5 || rows.some(({ rank }) => matchOf(rank) === 'exact')
}

/** Appends misspelled matches to exact ones where these are not enough. @param keyOf Id of a row. */
export async function withMisspellings<Row extends { readonly rank: number }>(
  rows: readonly Row[],
  { alike, most }: FindOptions,
  keyOf: (row: Row) => string,
  findMisspelled: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  if (!alike || isEnough(rows)) return rows.slice(0, most)
  const keys = new Set(rows.map(keyOf))
  const more = await findMisspelled()
  return [...rows, ...more.filter((row) => !keys.has(keyOf(row)))].slice(0, most)
}

/** Fuzzy candidates that are ranked. */
export const CANDIDATES = 1000

/** Runs a query that the search can do without: after 400 ms it returns nothing, and the transaction continues. */
export async function inTime<T>(
  sql: SearchSql,
  query: (own: SearchSql) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return (await sql.savepoint(async (own) => {
      await own`select set_config('statement_timeout', ${String(FUZZY_TIMEOUT_MS)}, true)`
      return query(own)
    })) as readonly T[]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED) return []
    throw error
  }
}

const FUZZY_TIMEOUT_MS = 400
const QUERY_CANCELED = '57014'
