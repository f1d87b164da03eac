import type { ClosedForm } from './leap/form.ts'

/** What one static message call came to. */
export type CallOutcome =
  | { readonly status: 'returned'; readonly output: Uint8Array }
  | { readonly status: 'reverted'; readonly data: Uint8Array }

/** Work that a run may still do: about one a basic block. Translated code takes from it. */
export interface Budget {
  steps: number
}

/** The budget of a run went below zero. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded'
}

/** Translated code met what it cannot do exactly; the next engine has to answer. */
export class Declined extends Error {
  override readonly name = 'Declined'
}

/** A contract translated as a whole. */
export interface TranslatedContract {
  /**
   * One exact static message call.
   *
   * @throws BudgetExceeded, Declined.
   */
  call(calldata: Uint8Array, budget: Budget): CallOutcome
}

/** One step of a transformation with fixed arguments. */
export interface SpecialisedStep {
  /**
   * Text of a function `(x, budget) => value`: both uint32, or -1 where the step reverts. Its only free name is `h`,
   * the module of 256-bit words.
   */
  readonly source: string
  /** The same as a formula, where it is one that many steps can be known by. */
  readonly form?: ClosedForm | undefined
}
