import type { Feature } from '../feature.ts'
import { postContractVerification } from './operations.ts'
import { contractVerdicts } from './schema.ts'
import { verifierSettings } from './settings.ts'

export const verifier: Feature = {
  name: 'verifier',
  settings: verifierSettings,
  operations: [postContractVerification],
  tables: [contractVerdicts],
}
