import type postgres from 'postgres'

/** SQL inside one transaction of the writer. */
export type WriterSql = postgres.TransactionSql

/** Batches take a fraction of this; a transaction that takes longer hangs. */
export const TRANSACTION_TIMEOUT_MS = 60_000

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
