import { isOfDatabase } from '#lib/platform/log/without-values.ts'
import { Failure, type FailureCode } from '#lib/protocol/failure.ts'
import { UnsupportedMediaType } from './body.ts'
import type { Operation } from './operation.ts'
import type { ApiRequest } from './request.ts'
import type { ApiResponse } from './response.ts'

/**
 * Every value of `X-Error-Code` with its status: the codes of failures, and those of the HTTP layer itself.
 * `docs/errors.md` has a section for each.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  rejected: 400,
  unauthenticated: 401,
  forbidden: 403,
  publication_disabled: 403,
  not_found: 404,
  gone: 404,
  unknown_path: 404,
  method_not_allowed: 405,
  name_taken: 409,
  dependency_conflict: 409,
  registry_conflict: 409,
  nonce_conflict: 409,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  too_many: 429,
  pending: 202,
  execution_failed: 500,
  internal_error: 500,
  chain_malformed: 502,
  chain_unavailable: 503,
  artifacts_unavailable: 503,
  storage_unavailable: 503,
  overloaded: 503,
  storage_full: 507,
  /** For logs and metrics: the client that left reads no response. */
  client_closed_request: 499,
} as const satisfies Readonly<Record<FailureCode, number>> & Readonly<Record<string, number>>

export type ErrorCode = keyof typeof ERROR_STATUS

/** Returns the address of the paragraph about a code, on this site. */
export function errorDocs(code: ErrorCode): string {
  return `/docs/errors#${code.replaceAll('_', '-')}`
}

/** An error on its way out. `failure` is absent for what the HTTP layer itself refuses and for defects. */
export interface Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly failure?: Failure
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ErrorBody {
  readonly contentType: string
  readonly text: string
}

/** Writer of one API's errors; undefined for an empty body. `operation` is absent when no route matched. */
export type ErrorFormat = (
  problem: Problem,
  operation: Operation | undefined,
  request: Pick<ApiRequest, 'headers'>,
) => ErrorBody | undefined

/** The chain API: always `{"message": …}`; publication endpoints add what a client can act on. */
export const chainErrors: ErrorFormat = (problem, operation) => ({
  contentType: 'application/json',
  text: JSON.stringify({
    message: problem.message,
    ...(operation?.errors === 'publication' && publicationDetails(problem)),
  }),
})

function publicationDetails({ code, failure }: Problem): Record<string, unknown> {
  const { txHash, missing, mismatched } = failure?.details ?? {}
  return {
    ...(code === 'pending' && { status: 'pending' }),
    ...(txHash !== undefined && { tx_hash: txHash }),
    ...(missing !== undefined && { missing }),
    ...(mismatched !== undefined && { mismatched }),
  }
}

/** The services API: empty bodies, except for Worlds, whose errors are shown to users. */
export const servicesErrors: ErrorFormat = ({ code, message }, operation) =>
  operation?.errors === 'text' && ERROR_STATUS[code] !== 401
    ? { contentType: 'text/plain; charset=utf-8', text: message }
    : undefined

/**
 * Anything but a failure on purpose is a defect: a neutral 500.
 *
 * @param signal Of the request. Work that stops because its client left did not fail.
 * @param operation Undefined where none was matched.
 */
export function problemOf(error: unknown, signal: AbortSignal, operation?: Operation): Problem {
  if (signal.aborted && isDueTo(error, signal.reason))
    return { code: 'client_closed_request', message: 'The client left' }
  const failure = error instanceof Failure ? error : storageFailure(error, operation?.storageErrors === 'all')
  if (failure !== undefined) return { code: failure.code, message: failure.message, failure }
  if (error instanceof UnsupportedMediaType) {
    return { code: 'unsupported_media_type', message: error.message, headers: error.headers }
  }
  return {
    code: 'internal_error',
    message: 'Something went wrong on our side; the X-Request-Id header names this request',
  }
}

function isDueTo(error: unknown, reason: unknown): boolean {
  return error === reason || (error instanceof Error && isDueTo(error.cause, reason))
}

/** @param operation Absent when no route matched. */
export function errorResponse(
  problem: Problem,
  operation: Operation | undefined,
  format: ErrorFormat,
  request: Pick<ApiRequest, 'headers'>,
): ApiResponse {
  const { code, failure } = problem
  const status = ERROR_STATUS[code]
  const body = format(problem, operation, request)
  const headers = new Map([
    ['cache-control', 'no-store'],
    ['x-error-code', code],
    ['link', `<${errorDocs(code)}>; rel="help"`],
  ])
  if (body !== undefined) headers.set('content-type', body.contentType)
  for (const name in problem.headers) headers.set(name, problem.headers[name] as string)
  if (status === 401) headers.set('www-authenticate', operation?.challenge ?? 'Bearer')
  const retryAfter = failure?.details.retryAfterSeconds ?? (code === 'overloaded' ? 1 : undefined)
  if (retryAfter !== undefined) headers.set('retry-after', String(Math.ceil(retryAfter)))
  return { status, headers, body: body?.text ?? null }
}

/** Error codes of the driver, of fetch and of the system for a server that is unreachable, or lost during a statement. */
const NO_CONNECTION: ReadonlySet<unknown> = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT', 'QUERY_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  // Fetch throws these for the stores and sites that this one reads.
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_SOCKET'],
])

/**
 * SQLSTATE of a server that cannot serve for now: connections (08), disk and memory (53), an administrator or a crash
 * (57P), the machine below it (58), a standby that takes no writes.
 */
const CANNOT_SERVE = /^(?:08...|53...|57P..|58...|25006)$/

/**
 * The failure behind an error of the database: unreachable, restarting or full.
 *
 * @param any Whether each error of the database is one, as publication documents, which has no 500.
 * @returns undefined for every other error.
 */
export function storageFailure(error: unknown, any = false): Failure | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = 'code' in each ? each.code : undefined
    const cannotServe = NO_CONNECTION.has(code) || (typeof code === 'string' && CANNOT_SERVE.test(code))
    if (cannotServe || (any && isOfDatabase(each))) {
      const message = 'The storage of this server is unavailable; try again later'
      return new Failure('storage_unavailable', message, { retryAfterSeconds: 1 }, { cause: error })
    }
  }
  return undefined
}
