import { Failure } from '../domain/failure.ts'

/** How the driver and the system call a server that is not there, or gone in the middle. */
const NO_CONNECTION: ReadonlySet<unknown> = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT', 'QUERY_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'],
])

/**
 * SQLSTATE of a server that cannot serve just now: connections (08), room and memory (53), an administrator or a crash
 * (57P), the machine below it (58), a standby that takes no writes.
 */
const CANNOT_SERVE = /^(?:08...|53...|57P..|58...|25006)$/

/**
 * A database that is away, restarting or full is no defect of ours, and passes: who asks is told to come again.
 *
 * @returns undefined for every other error; else a failure whose cause is the driver's own error, without the query
 *   and its parameters, which no log should have.
 */
export function storageFailure(error: unknown): Failure | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = 'code' in each ? each.code : undefined
    if (NO_CONNECTION.has(code) || (typeof code === 'string' && CANNOT_SERVE.test(code))) {
      const message = 'The storage of this server is unavailable; try again later'
      return new Failure('storage_unavailable', message, { retryAfterSeconds: 1 }, { cause: each })
    }
  }
  return undefined
}
