import type { Feature } from '../feature.ts'
import { verifyRun } from './operations.ts'

export const proofs: Feature = { name: 'proofs', operations: [verifyRun] }
