import type { Failure, FailureCode } from '../domain/failure.ts'
import type { Operation } from './operation.ts'

/** How one API shows failures. */
export interface ErrorTable {
  readonly status: Readonly<Record<FailureCode, number>>
  /** The body of a failure, `undefined` for an empty one. `operation` is absent when no route matched. */
  readonly body: (problem: Problem, operation: Operation | undefined) => ErrorBody | undefined
}

/** A failure on its way out. `failure` is absent for what the framework itself refuses and for defects. */
export interface Problem {
  readonly status: number
  readonly message: string
  readonly failure?: Failure
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ErrorBody {
  readonly contentType: string
  readonly text: string
}

/** The chain API: always `{"message": …}`; publication endpoints add what a client can act on. */
export const chainErrors: ErrorTable = {
  status: {
    invalid_request: 400,
    unauthenticated: 401,
    forbidden: 403,
    publication_disabled: 403,
    not_found: 404,
    name_taken: 409,
    dependency_conflict: 409,
    registry_conflict: 409,
    nonce_conflict: 409,
    conflict: 409,
    payload_too_large: 413,
    too_many: 429,
    rejected: 400,
    pending: 202,
    execution_failed: 500,
    chain_malformed: 502,
    chain_unavailable: 503,
    artifacts_unavailable: 503,
    storage_unavailable: 503,
    overloaded: 503,
  },
  body: (problem, operation) => {
    const details = operation?.errors === 'publication' ? publicationDetails(problem) : {}
    return {
      contentType: 'application/json',
      text: JSON.stringify({ message: problem.message, ...details }),
    }
  },
}

function publicationDetails({ status, failure }: Problem): Record<string, unknown> {
  const { txHash, missing, mismatched } = failure?.details ?? {}
  return {
    ...(status === 202 && { status: 'pending' }),
    ...(txHash !== undefined && { tx_hash: txHash }),
    ...(missing !== undefined && { missing }),
    ...(mismatched !== undefined && { mismatched }),
  }
}

/** The services API: the status says it all, except where people read the reason, as with Worlds. */
export const servicesErrors: ErrorTable = {
  status: chainErrors.status,
  body: (problem, operation) =>
    operation?.errors === 'text' && problem.status !== 401
      ? { contentType: 'text/plain; charset=utf-8', text: problem.message }
      : undefined,
}
