/**
 * Everything that can go wrong on purpose. A verb throws a `Failure`; one table per API turns its code into a
 * status and a body. Anything else that escapes a verb is a defect and becomes a neutral 500.
 */
export type FailureCode =
  | 'invalid_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'publication_disabled'
  | 'not_found'
  | 'gone'
  | 'name_taken'
  | 'dependency_conflict'
  | 'registry_conflict'
  | 'nonce_conflict'
  | 'conflict'
  | 'payload_too_large'
  | 'too_many'
  | 'rejected'
  | 'pending'
  | 'execution_failed'
  | 'chain_malformed'
  | 'chain_unavailable'
  | 'artifacts_unavailable'
  | 'storage_unavailable'
  | 'storage_full'
  | 'overloaded'

/** Facts a client can act on; each API shows the ones its error body has room for. */
export interface FailureDetails {
  readonly txHash?: string
  /** `<kind>/<name>` of dependencies absent from the registry. */
  readonly missing?: readonly string[]
  /** `<kind>/<name>` of dependencies registered with another artifact. */
  readonly mismatched?: readonly string[]
  readonly retryAfterSeconds?: number
}

/** The part of a failure that clients never see. */
export interface FailureOptions extends ErrorOptions {
  /** Says for operators what the message must not: addresses, limits, what was tried. Logged beside the message. */
  readonly internal?: string
}

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  readonly details: FailureDetails
  readonly internal: string | undefined

  /**
   * Also of another copy of this module: pages, routes and the server around them each have one, and share services
   * that throw.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'Failure' && 'code' in value && 'details' in value
  }

  /** @param message Sent to the client: what is wrong and, where possible, what to do. */
  constructor(code: FailureCode, message: string, details: FailureDetails = {}, options?: FailureOptions) {
    super(message, options)
    this.code = code
    this.details = details
    this.internal = options?.internal
  }
}
