import postgres from 'postgres'

/** SQL inside one transaction of the writer. */
export type WriterSql = postgres.TransactionSql

/** Any fixed number will do, as long as nobody else in this database uses it. */
const WRITER_LOCK = 7_301_884_212

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
  /** @throws WriterLockLost before anything is written when the lock is not held any more. */
  transaction<T>(run: (sql: WriterSql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Opens nothing by itself: the first statement connects. */
export const openWriter = (databaseUrl: string): Writer => {
  const sql = postgres(databaseUrl, {
    max: 1,
    // The session holds the lock: it must neither idle away nor be recycled.
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: 'weft-worker' },
  })
  let session: number | undefined

  return {
    async acquire() {
      if (session !== undefined) {
        const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
        if (row?.pid === session) return true
        session = undefined
      }
      const [row] = await sql<{ held: boolean; pid: number }[]>`
        select pg_try_advisory_lock(${WRITER_LOCK}) as held, pg_backend_pid() as pid`
      if (row?.held !== true) return false
      session = row.pid
      return true
    },
    async transaction<T>(run: (sql: WriterSql) => Promise<T>): Promise<T> {
      const result = await sql.begin(async (tx) => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        if (session === undefined || row?.pid !== session) {
          throw new WriterLockLost('the connection that held the writer lock is gone')
        }
        return run(tx)
      })
      return result as T
    },
    close: () => sql.end({ timeout: 1 }),
  }
}
