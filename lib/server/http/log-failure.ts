import type { Logger } from 'pino'
import { ERROR_STATUS, errorDocs, type Problem } from './errors.ts'

/** Where a failure happened, for its line in the log. */
export interface FailedRequest {
  readonly requestId: string
  readonly method: string
  /** Without its query, which may hold credentials. */
  readonly path: string
}

/**
 * Logs a failure of status 500 or more with its cause; does nothing for others, which clients explain to themselves.
 *
 * @param error As it was thrown.
 * @param getLog May reject, where the services themselves are what is missing.
 */
export async function logFailure(
  error: unknown,
  { code, message, failure }: Problem,
  request: FailedRequest,
  getLog: () => Promise<Logger>,
): Promise<void> {
  if (ERROR_STATUS[code] < 500) return
  const fields = {
    // A full queue has no cause, and comes by the thousand.
    ...(code === 'overloaded' ? { message } : { err: error }),
    code,
    ...(failure?.internal !== undefined && { internal: failure.internal }),
    docs: errorDocs(code),
    ...request,
  }
  try {
    const log = await getLog()
    log[code === 'internal_error' || code === 'execution_failed' ? 'error' : 'warn'](fields, 'request failed')
  } catch {
    console.error(`request ${request.requestId} failed: ${request.method} ${request.path}`, error)
  }
}
