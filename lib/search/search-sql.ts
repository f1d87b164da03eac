import type postgres from 'postgres'

/** A transaction of one search. */
export type SearchSql = postgres.TransactionSql

export interface FindOptions {
  /** Whether to look for misspellings too; the database must have `pg_trgm`. */
  readonly alike: boolean
  /** Hits at most. */
  readonly most: number
}
