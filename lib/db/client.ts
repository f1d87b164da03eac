import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { traceQueries } from '../telemetry/trace-queries.ts'
import { tracing } from '../telemetry/tracing.ts'
import * as schema from './schema/index.ts'
import { watchedSockets } from './watched-socket.ts'

export type Orm = PostgresJsDatabase<typeof schema>

/** One pool of connections, usable through drizzle and as plain SQL. */
export interface Database {
  readonly orm: Orm
  readonly sql: postgres.Sql
  /** Waits up to two seconds for running statements, then closes every connection. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Connections at most. */
  readonly max?: number
  /** Milliseconds that one statement may take, 20,000 unless said; the connections of idle pools end after it as well. */
  readonly patienceMs?: number
}

const PATIENCE_MS = 20_000

/** Opens nothing by itself: the first statement connects. */
export function createDatabase(url: string, options: DatabaseOptions = {}): Database {
  // An option of the driver that its types leave out.
  const watched = { socket: watchedSockets(options.patienceMs ?? PATIENCE_MS) }
  const sql = postgres(url, {
    max: options.max ?? 10,
    idle_timeout: 60,
    connect_timeout: 10,
    backoff: reconnectDelay,
    onnotice: () => {},
    connection: { application_name: 'weft' },
    ...watched,
  })
  // Bundled pages may have another copy of the driver than the program around them.
  if (tracing() !== undefined) traceQueries(sql)
  return { orm: drizzle(sql, { schema }), sql, close: () => sql.end({ timeout: 2 }) }
}

/** Seconds before attempt `n`: the driver's own delays grow to twenty, long after a restarted server is back. */
export function reconnectDelay(attempts: number): number {
  return Math.min(1, 2 ** attempts / 100)
}
