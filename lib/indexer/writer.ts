import postgres from 'postgres'
import { withTimeout } from 'viem'
import { LOCKS, lockOfChain } from '../platform/db/advisory-locks.ts'
import { schemaOfUrl } from '../platform/db/chain-schema.ts'
import { evictStuckHolder, registerSession } from './heartbeat.ts'

/** SQL inside one transaction of the writer. */
export type WriterSql = postgres.TransactionSql

/** Batches take a fraction of this; a transaction that takes longer hangs. */
const TRANSACTION_TIMEOUT_MS = 60_000
const QUERY_TIMEOUT_MS = 10_000

/** Another session holds the writer lock, or this one cannot prove that it still does. */
export class WriterLockLost extends Error {
  override readonly name = 'WriterLockLost'
}

/**
 * The one connection that may write the projection. The advisory lock belongs to the database session, and every
 * transaction first checks that it runs in that session: a connection that was replaced unnoticed writes nothing.
 */
export interface Writer {
  /** Tries to get the lock. @returns whether this process is the writer. */
  acquire(): Promise<boolean>
  /** Checks that the lock is still held. @throws WriterLockLost */
  confirm(): Promise<void>
  /** @throws WriterLockLost before anything is written when the lock is no longer held. */
  transaction<T>(run: (sql: WriterSql) => Promise<T>): Promise<T>
  /** Age in milliseconds of the statement in flight; 0 without one. */
  waitingMs(): number
  close(): Promise<void>
}

/**
 * Creates a writer; the first statement connects.
 *
 * @param instance Id of this process in `worker_instances`. Without it the writer registers no session and evicts no
 *   stuck holder.
 */
export function openWriter(databaseUrl: string, instance?: string): Writer {
  const schema = schemaOfUrl(databaseUrl)
  const lock = lockOfChain(LOCKS.writer, schema)
  let sql = connect(databaseUrl)
  let session: number | undefined
  let waitingSince: number | undefined

  /** Replaces a connection that does not answer; the server rolls its transaction back. */
  const abandon = (): void => {
    session = undefined
    sql.end({ timeout: 0 }).catch(() => {})
    sql = connect(databaseUrl)
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
      inTime(QUERY_TIMEOUT_MS, async () => {
        if (await sameSession(sql)) return true
        session = undefined
        // Registered before it holds the lock, so that no standby mistakes it for a stuck holder.
        if (instance !== undefined) await registerSession(sql, instance)
        const [row] = await sql<{ held: boolean; pid: number }[]>`
          select pg_try_advisory_lock(${String(lock)}::bigint) as held, pg_backend_pid() as pid`
        if (row?.held === true) {
          session = row.pid
          return true
        }
        if (instance !== undefined) await evictStuckHolder(sql, schema)
        return false
      }),
    confirm: () =>
      inTime(QUERY_TIMEOUT_MS, async () => {
        if (!(await sameSession(sql))) throw lockLost()
      }),
    transaction<T>(run: (sql: WriterSql) => Promise<T>): Promise<T> {
      return inTime(TRANSACTION_TIMEOUT_MS, async () => {
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

function connect(databaseUrl: string): postgres.Sql {
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
      idle_in_transaction_session_timeout: 10_000,
      statement_timeout: TRANSACTION_TIMEOUT_MS,
    },
  })
}
