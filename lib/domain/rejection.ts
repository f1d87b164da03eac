import type { Hex } from './entity.ts'

/** Why a run stopped, decoded from the revert data that the chain and the reference engine agree on. */
export interface Rejection {
  /** Solidity error name (`ConditionNotMet`, `Panic`, `Error`, …), `EmptyRevert` without data, else `Unknown`. */
  readonly name: string
  /** Text for people, for instance `Condition not met`. */
  readonly message: string
  readonly revertData: Hex
}
