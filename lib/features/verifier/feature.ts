import type { Feature } from '../feature.ts'
import { postContractVerification } from './operations.ts'

export const verifier: Feature = { name: 'verifier', operations: [postContractVerification] }
