import postgres from 'postgres'
import { evictStuckHolder, registerSession } from './heartbeat.ts'
import { WRITER_LOCK } from './writer-lock.ts'

/** SQL inside one transaction of the writer. */
export type WriterSql = postgres.TransactionSql

/** A transaction is cut into batches that take a fraction of this; one that takes longer hangs. */
const TRANSACTION_LIMIT_MS = 60_000
const QUESTION_LIMIT_MS = 10_000

/** Another session writes now, or this one cannot know any more whether it still may. */
export class WriterLockLost extends Error {
  override readonly name = 'WriterLockLost'
}

/**
 * The one connection that may write the projection. The advisory lock belongs to the database session, and every
 * transaction first makes sure that it runs in that same session: a connection that broke and came back unnoticed
 * writes nothing.
 */
export interface Writer {
  /** Whether this process is the writer now; asks for the lock when it is not. */
  acquire(): Promise<boolean>
  /**
   * Makes sure that the lock is still held, for a writer that has had nothing to write for a while.
   *
   * @throws WriterLockLost
   */
  confirm(): Promise<void>
  /** @throws WriterLockLost before anything is written when the lock is not held any more. */
  transaction<T>(run: (sql: WriterSql) => Promise<T>): Promise<T>
  /** Milliseconds since the database was asked for something that it has not answered; 0 when there is nothing. */
  waitingMs(): number
  close(): Promise<void>
}

/**
 * Opens nothing by itself: the first statement connects.
 *
 * @param instance Names this process among the workers, see `worker_instances`. Without it the writer neither says
 *   that it lives nor takes the lock from one that does not.
 */
export const openWriter = (databaseUrl: string, instance?: string): Writer => {
  let sql = connect(databaseUrl)
  let session: number | undefined
  let askedAt: number | undefined

  /** Gives a connection up that does not answer: whatever it was doing is undone when the server notices. */
  const abandon = (): void => {
    session = undefined
    sql.end({ timeout: 0 }).catch(() => {})
    sql = connect(databaseUrl)
  }

  const sameSession = async (asked: postgres.Sql | WriterSql): Promise<boolean> => {
    if (session === undefined) return false
    const [row] = await asked<{ pid: number }[]>`select pg_backend_pid() as pid`
    return row?.pid === session
  }

  const within = async <T>(limitMs: number, run: () => Promise<T>): Promise<T> => {
    askedAt = performance.now()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        abandon()
        reject(new WriterLockLost(`the database did not answer within ${limitMs / 1000} s`))
      }, limitMs)
    })
    try {
      const result = run()
      result.catch(() => {})
      return await Promise.race([result, late])
    } finally {
      clearTimeout(timer)
      askedAt = undefined
    }
  }

  return {
    acquire: () =>
      within(QUESTION_LIMIT_MS, async () => {
        if (await sameSession(sql)) return true
        session = undefined
        // A holder is always known before it holds: nobody takes it for a stuck one.
        if (instance !== undefined) await registerSession(sql, instance)
        const [row] = await sql<{ held: boolean; pid: number }[]>`
          select pg_try_advisory_lock(${String(WRITER_LOCK)}::bigint) as held, pg_backend_pid() as pid`
        if (row?.held === true) {
          session = row.pid
          return true
        }
        if (instance !== undefined) await evictStuckHolder(sql)
        return false
      }),
    confirm: () =>
      within(QUESTION_LIMIT_MS, async () => {
        if (!(await sameSession(sql))) throw lockLost()
      }),
    transaction<T>(run: (sql: WriterSql) => Promise<T>): Promise<T> {
      return within(TRANSACTION_LIMIT_MS, async () => {
        const result = await sql.begin(async (tx) => {
          if (!(await sameSession(tx))) throw lockLost()
          return run(tx)
        })
        return result as T
      })
    },
    waitingMs: () => (askedAt === undefined ? 0 : performance.now() - askedAt),
    close: () => sql.end({ timeout: 1 }),
  }
}

const lockLost = (): WriterLockLost => new WriterLockLost('the connection that held the writer lock is gone')

const connect = (databaseUrl: string): postgres.Sql =>
  postgres(databaseUrl, {
    max: 1,
    // The session holds the lock: it must neither idle away nor be recycled.
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    onnotice: () => {},
    connection: {
      application_name: 'weft-worker',
      // A process or machine that vanished must not keep the lock: the server finds out within seconds.
      tcp_keepalives_idle: 2,
      tcp_keepalives_interval: 1,
      tcp_keepalives_count: 3,
      tcp_user_timeout: 5_000,
      idle_in_transaction_session_timeout: 10_000,
      statement_timeout: TRANSACTION_LIMIT_MS,
    },
  })
