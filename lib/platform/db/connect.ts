import postgres from 'postgres'

export interface DatabaseOptions {
  /** Connections at most: 10 by default, 2 through a pooler. */
  readonly max?: number
  /** Milliseconds without a byte of its answer after which a statement fails, 20,000 by default. */
  readonly statementTimeoutMs?: number
  /** Milliseconds after which an unused connection is closed, 60,000 by default. */
  readonly idleTimeoutMs?: number
}

/** Revision of `patches/postgres+3.4.9.patch`; the patched driver exports the same number. */
const DRIVER_PATCH = 1

/**
 * Creates a pool of connections without drizzle, which has the driver leave dates and JSON as they are, and costs a thread
 * time to load; the first statement connects.
 *
 * @throws Error when the driver lacks the patch that `npm ci` applies, see `docs/upstream/postgres.md`.
 */
export function connect(url: string, options: DatabaseOptions = {}): postgres.Sql {
  if ((postgres as { patch?: number }).patch !== DRIVER_PATCH) {
    throw new Error('the database driver is not patched: run npm ci')
  }
  const { address, pooled } = readDatabaseUrl(url)
  // Options that the driver's types leave out, the first of them the patch's own: poolers refuse a limit of the server's.
  const untyped = {
    query_timeout: (options.statementTimeoutMs ?? 20_000) / 1000,
    // A statement waits for a free connection, not behind another statement, which would fail it with its own.
    max_pipeline: 0,
  }
  return postgres(address, {
    max: options.max ?? (pooled ? 2 : 10),
    // A prepared statement belongs to a session.
    prepare: !pooled,
    idle_timeout: (options.idleTimeoutMs ?? 60_000) / 1000,
    connect_timeout: 10,
    backoff: reconnectDelay,
    onnotice: () => {},
    connection: { application_name: 'weft' },
    ...untyped,
  })
}

/**
 * Splits `?pgbouncer=true` from a database URL, as other drivers spell it: the address leads to a pooler in transaction
 * mode, which keeps no session between transactions. Locks, settings and `LISTEN` of a session are lost there.
 */
export function readDatabaseUrl(url: string): { readonly address: string; readonly pooled: boolean } {
  const parsed = URL.parse(url)
  const pooled = parsed?.searchParams.get('pgbouncer') === 'true'
  // The driver would send it to the server as a setting.
  parsed?.searchParams.delete('pgbouncer')
  return { address: parsed?.href ?? url, pooled }
}

/** Seconds before attempt `n`: the driver's own delays grow to twenty, long after a restarted server is back. */
export function reconnectDelay(attempts: number): number {
  return Math.min(1, 2 ** attempts / 100)
}
