import type { Feature } from '../feature.ts'
import { postContractVerification } from './operations.ts'
import { contractVerdicts } from './schema.ts'

export const verifier: Feature = {
  name: 'verifier',
  operations: [postContractVerification],
  tables: [contractVerdicts],
}
