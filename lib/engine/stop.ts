import type { Hex } from '../domain/entity.ts'
import type { DeclineReason, Limit } from './run.ts'

/** What reverts: a condition, a running instance that cannot be, or a step, counted from 1, of the value x. */
export type RevertCause =
  | { readonly kind: 'condition' | 'instance' }
  | { readonly kind: 'step'; readonly step: number; readonly x: number }

/** A run ends by revert. */
export class RunReverted extends Error {
  override readonly name = 'RunReverted'
  readonly revertData: Hex
  /** Absent where it is not known without looking closer. */
  override readonly cause: RevertCause | undefined
  /** Of the dimension, as running instances count; 0 before the first one. */
  position = 0

  constructor(revertData: Hex, cause?: RevertCause) {
    super(revertData)
    this.revertData = revertData
    this.cause = cause
  }
}

/** A run ends at a limit. */
export class RunExhausted extends Error {
  override readonly name = 'RunExhausted'
  readonly limit: Limit
  /** Of an answer that would be too large: its size at least. */
  readonly bytes: number | undefined

  constructor(limit: Limit, bytes?: number) {
    super(limit)
    this.limit = limit
    this.bytes = bytes
  }
}

/** A run needs an exact engine, and there is none. */
export class RunDeclined extends Error {
  override readonly name = 'RunDeclined'
  readonly reason: DeclineReason

  constructor(reason: DeclineReason) {
    super(reason)
    this.reason = reason
  }
}
