import { Failure, type FailureCode } from '#lib/protocol/failure.ts'

/** A `catch` handler: undefined for a `Failure`; rethrows anything else. */
export function undefinedOnFailure(error: unknown): undefined {
  if (error instanceof Failure) return undefined
  throw error
}

/** A `catch` handler: undefined for a `Failure` with one of the codes; rethrows anything else. */
export function undefinedOn(...codes: readonly FailureCode[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Failure && codes.includes(error.code)) return undefined
    throw error
  }
}
