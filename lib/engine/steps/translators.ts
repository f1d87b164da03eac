import type { SpecialisedStep, TranslatedContract } from '../types.ts'

/** The ways from bytecode to JavaScript; either may be missing. */
export interface Translators {
  readonly specialise?:
    | ((code: Uint8Array, args: readonly number[]) => SpecialisedStep | { readonly declined: string })
    | undefined
  readonly translate?: ((code: Uint8Array) => TranslatedContract | undefined) | undefined
}
