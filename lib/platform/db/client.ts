import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { traceQueries } from '../telemetry/trace-queries.ts'
import { tracing } from '../telemetry/tracing.ts'
import { connect, type DatabaseOptions } from './connect.ts'
import * as schema from './schema/index.ts'

export type Orm = PostgresJsDatabase<typeof schema>

/** One pool of connections, usable through drizzle and as plain SQL. */
export interface Database {
  readonly orm: Orm
  readonly sql: postgres.Sql
  /** Waits up to two seconds for running statements, then closes every connection. */
  close(): Promise<void>
}

/**
 * Creates a pool of connections; the first statement connects.
 *
 * @throws Error when the driver lacks the patch that `npm ci` applies, see `docs/upstream/postgres.md`.
 */
export function createDatabase(url: string, options: DatabaseOptions = {}): Database {
  const sql = connect(url, options)
  // Bundled pages may have another copy of the driver than the program around them.
  if (tracing() !== undefined) traceQueries(sql)
  return { orm: drizzle(sql, { schema }), sql, close: () => sql.end({ timeout: 2 }) }
}
