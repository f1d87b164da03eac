import type { Translators } from './steps/translators.ts'

/** Every way from bytecode to JavaScript that there is. */
export const translators: Translators = {}
