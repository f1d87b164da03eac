import { withTimeout } from 'viem'
import { LOCKS } from '#lib/platform/db/advisory-locks.ts'
import { connect } from '#lib/platform/db/connect.ts'
import { claimLease, LEASES, releaseLease, renewLease } from '#lib/platform/db/leases.ts'
import { registerInstance } from './heartbeat.ts'
import { TRANSACTION_TIMEOUT_MS, type Writer, WriterLockLost, type WriterSql } from './writer-lock.ts'

/** Longer than a step waits for its node between two transactions. */
const LEASE_SECONDS = 60
/** For another process that is about to write. */
const LOCK_TIMEOUT_MS = 2_000
/** The server ends a transaction whose process was stopped in the middle. */
const IDLE_TIMEOUT_MS = 10_000
const RELEASE_TIMEOUT_MS = 500

/**
 * A writer for a pooler in transaction mode, which keeps no session that could hold the lock. Every transaction renews
 * the lease first, whose row stays locked until its end, and shares the advisory lock for its own duration, so that it
 * never runs beside a worker that holds the lock by its session.
 *
 * @param holder Unique among processes.
 * @param worker Registers the process as a worker, for the status page.
 */
export function openLeaseWriter(
  databaseUrl: string,
  { holder, worker }: { readonly holder: string; readonly worker: boolean },
): Writer {
  const sql = connect(databaseUrl, { max: 1, statementTimeoutMs: TRANSACTION_TIMEOUT_MS })
  let waitingSince: number | undefined

  const guarded = async <T>(
    claim: (tx: WriterSql) => Promise<boolean>,
    run: (tx: WriterSql) => Promise<T>,
  ): Promise<T> => {
    waitingSince = performance.now()
    const lost = new WriterLockLost('the database did not answer in time')
    try {
      const result = await withTimeout(
        () =>
          sql.begin(async (tx) => {
            const [row] = await tx<{ free: boolean }[]>`
              select pg_try_advisory_xact_lock_shared(${String(LOCKS.writer)}::bigint) as free,
                set_config('idle_in_transaction_session_timeout', ${String(IDLE_TIMEOUT_MS)}, true),
                set_config('statement_timeout', ${String(TRANSACTION_TIMEOUT_MS)}, true)`
            if (row?.free !== true || !(await claim(tx))) throw new WriterLockLost('another process writes')
            return run(tx)
          }),
        { timeout: TRANSACTION_TIMEOUT_MS, errorInstance: lost },
      )
      return result as T
    } finally {
      waitingSince = undefined
    }
  }
  const renew = (tx: WriterSql) => renewLease(tx, LEASES.writer, holder, LEASE_SECONDS)

  return {
    async acquire() {
      try {
        if (worker) await registerInstance(sql, holder)
        await guarded(
          async (tx) => {
            await tx`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`
            return claimLease(tx, LEASES.writer, holder, LEASE_SECONDS)
          },
          async () => {},
        )
        return true
      } catch (error) {
        if (error instanceof WriterLockLost || isLockTimeout(error)) return false
        throw error
      }
    },
    confirm: () => guarded(renew, async () => {}),
    transaction: (run) => guarded(renew, run),
    waitingMs: () => (waitingSince === undefined ? 0 : performance.now() - waitingSince),
    async close() {
      const release = () => releaseLease(sql, LEASES.writer, holder)
      await withTimeout(release, { timeout: RELEASE_TIMEOUT_MS }).catch(() => {})
      await sql.end({ timeout: 1 })
    },
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
