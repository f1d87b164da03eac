import postgres from 'postgres'
import { withTimeout } from 'viem'
import { LOCKS } from '#lib/platform/db/advisory-locks.ts'
import { readDatabaseUrl } from '#lib/platform/db/connect.ts'
import { LEASES } from '#lib/platform/db/leases.ts'
import { evictStuckHolder, newInstance, registerInstance } from './heartbeat.ts'
import { openLeaseWriter } from './lease-writer.ts'
import { TRANSACTION_TIMEOUT_MS, type Writer, WriterLockLost, type WriterSql } from './writer-lock.ts'

export { type Writer, WriterLockLost, type WriterSql } from './writer-lock.ts'

/** Milliseconds of one statement outside of a transaction, and of a transaction; 0: unlimited. */
interface WriterTimeouts {
  readonly query: number
  readonly transaction: number
}

const TIMEOUTS: WriterTimeouts = { query: 10_000, transaction: TRANSACTION_TIMEOUT_MS }

/**
 * Creates a writer; the first statement connects.
 *
 * @param instance Id of this process in `worker_instances`. Without it the writer registers no session and evicts no
 *   stuck holder.
 */
export function openWriter(databaseUrl: string, instance?: string, timeouts = TIMEOUTS): Writer {
  const { address, pooled } = readDatabaseUrl(databaseUrl)
  if (pooled) {
    return openLeaseWriter(databaseUrl, { holder: instance ?? newInstance(), worker: instance !== undefined })
  }
  let sql = connect(address, timeouts)
  let session: number | undefined
  let waitingSince: number | undefined

  /** Replaces a connection that does not answer; the server rolls its transaction back. */
  const abandon = (): void => {
    session = undefined
    sql.end({ timeout: 0 }).catch(() => {})
    sql = connect(address, timeouts)
  }

  const sameSession = async (connection: postgres.Sql | WriterSql): Promise<boolean> => {
    if (session === undefined) return false
    const [row] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`
    return row?.pid === session
  }

  const inTime = async <T>(timeoutMs: number, run: () => Promise<T>): Promise<T> => {
    waitingSince = performance.now()
    const lost = new WriterLockLost(`the database did not answer within ${timeoutMs / 1000} s`)
    try {
      return await withTimeout(run, { timeout: timeoutMs, errorInstance: lost })
    } catch (error) {
      if (error === lost) abandon()
      throw error
    } finally {
      waitingSince = undefined
    }
  }

  return {
    acquire: () =>
      inTime(timeouts.query, async () => {
        if (await sameSession(sql)) return true
        session = undefined
        // Registered before it holds the lock, so that no standby mistakes it for a stuck holder.
        if (instance !== undefined) await registerInstance(sql, instance)
        const [row] = await sql<{ held: boolean; pid: number }[]>`
          select pg_try_advisory_lock(${String(LOCKS.writer)}::bigint) as held, pg_backend_pid() as pid`
        if (row?.held === true) {
          // A process without a session of its own stops at its next transaction.
          await sql`delete from leases where name = ${LEASES.writer}`
          session = row.pid
          return true
        }
        if (instance !== undefined) await evictStuckHolder(sql)
        return false
      }),
    confirm: () =>
      inTime(timeouts.query, async () => {
        if (!(await sameSession(sql))) throw lockLost()
      }),
    transaction<T>(run: (sql: WriterSql) => Promise<T>): Promise<T> {
      return inTime(timeouts.transaction, async () => {
        const result = await sql.begin(async (tx) => {
          if (!(await sameSession(tx))) throw lockLost()
          return run(tx)
        })
        return result as T
      })
    },
    waitingMs: () => (waitingSince === undefined ? 0 : performance.now() - waitingSince),
    close: () => sql.end({ timeout: 1 }),
  }
}

function lockLost(): WriterLockLost {
  return new WriterLockLost('the connection that held the writer lock is gone')
}

function connect(databaseUrl: string, timeouts: WriterTimeouts): postgres.Sql {
  return postgres(databaseUrl, {
    max: 1,
    // The session holds the lock, so it must be neither closed when idle nor recycled.
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    onnotice: () => {},
    connection: {
      application_name: 'weft-worker',
      // Releases the lock of a vanished process or machine within seconds.
      tcp_keepalives_idle: 2,
      tcp_keepalives_interval: 1,
      tcp_keepalives_count: 3,
      tcp_user_timeout: 5_000,
      idle_in_transaction_session_timeout: timeouts.query,
      statement_timeout: timeouts.transaction,
    },
  })
}
