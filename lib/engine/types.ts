/** Outcome of one static message call. */
export type CallOutcome =
  | { readonly status: 'returned'; readonly output: Uint8Array }
  | { readonly status: 'reverted'; readonly data: Uint8Array }

/** Steps that a run has left, about one a basic block; decremented by translated code. */
export interface Budget {
  steps: number
  /**
   * Called when `steps` is negative; may add to it, where the run has more than it handed out.
   *
   * @returns whether there are steps left.
   */
  readonly renew?: () => boolean
}

/** The step budget is used up. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded'
}

/** Translated code reached what it cannot compute exactly: the exact engine has to run the call. */
export class Declined extends Error {
  override readonly name = 'Declined'
}

/** Translated code fails in a way that takes all its gas: the caller sees a revert without data. */
export class Failed extends Declined {}

/** A contract translated as a whole. */
export interface TranslatedContract {
  /**
   * One exact static message call.
   *
   * @throws BudgetExceeded, Declined.
   */
  call(calldata: Uint8Array, budget: Budget): CallOutcome
}

/** Bounds of an argument that is known only at run time: uint32, both included. */
export interface ArgumentRange {
  readonly low: number
  readonly high: number
}

/** One step of a transformation. */
export interface SpecialisedStep {
  /**
   * Text of a function `(x, budget, ...parameters) => value`: x and value uint32, or -1 where the step reverts. The
   * parameters are the arguments that were not fixed. Its only free name is `h`, the module of 256-bit words.
   */
  readonly source: string
}

/** Functions from bytecode to JavaScript; either may be left out. */
export interface Translators {
  readonly specialise?:
    | ((
        code: Uint8Array,
        args: readonly (number | ArgumentRange)[],
      ) => SpecialisedStep | { readonly declined: string })
    | undefined
  readonly translate?: ((code: Uint8Array) => TranslatedContract | undefined) | undefined
}
