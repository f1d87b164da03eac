import type postgres from 'postgres'
import { matchOf } from './hit.ts'

/** A transaction of one search. */
export type SearchSql = postgres.TransactionSql

export interface FindOptions {
  /** Whether to look for misspellings too; the database must have `pg_trgm`. */
  readonly alike: boolean
  /** Hits at most. */
  readonly most: number
}

/** With so many hits of what was typed, or one that is called exactly so, nobody meant something else. */
export function isEnough(rows: readonly { readonly rank: number }[]): boolean {
  return rows.length >= 5 || rows.some(({ rank }) => matchOf(rank) === 'exact')
}

/** Of so many that are spelled alike, the nearest are shown. */
export const CANDIDATES = 1000

/**
 * Runs a query that may be given up: misspellings are worth a moment, and no more. One that takes longer found
 * nothing; the transaction goes on.
 */
export async function inTime<T>(
  sql: SearchSql,
  query: (own: SearchSql) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return (await sql.savepoint(async (own) => {
      await own`select set_config('statement_timeout', ${String(MOMENT_MS)}, true)`
      return query(own)
    })) as readonly T[]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED) return []
    throw error
  }
}

const MOMENT_MS = 400
const QUERY_CANCELED = '57014'
