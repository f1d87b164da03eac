import type { Hex } from '../domain/entity.ts'
import type { DeclineReason, Limit } from './run.ts'

/** A run ends by revert. */
export class RunReverted extends Error {
  override readonly name = 'RunReverted'
  readonly revertData: Hex

  constructor(revertData: Hex) {
    super(revertData)
    this.revertData = revertData
  }
}

/** A run ends at a limit. */
export class RunExhausted extends Error {
  override readonly name = 'RunExhausted'
  readonly limit: Limit

  constructor(limit: Limit) {
    super(limit)
    this.limit = limit
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
