import { specialise } from './specialise/specialise.ts'
import type { Translators } from './steps/translators.ts'
import { translate } from './translate/translate.ts'

/** Every way from bytecode to JavaScript that there is. */
export const translators: Translators = { specialise, translate }
