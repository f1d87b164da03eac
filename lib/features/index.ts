import { agents } from './agents/feature.ts'
import { assistant } from './assistant/feature.ts'
import type { Feature } from './feature.ts'
import { originalDialect } from './original-dialect/feature.ts'
import { pieces } from './pieces/feature.ts'
import { preview } from './preview/feature.ts'
import { proofs } from './proofs/feature.ts'
import { search } from './search/feature.ts'
import { social } from './social/feature.ts'
import { sponsor } from './sponsor/feature.ts'
import { verifier } from './verifier/feature.ts'
import { webhooks } from './webhooks/feature.ts'
import { workspaces } from './workspaces/feature.ts'

/** Features with operations or jobs; each of the others is only its folder and what imports it. */
export const features: readonly Feature[] = [
  preview,
  workspaces,
  social,
  webhooks,
  agents,
  sponsor,
  verifier,
  proofs,
  search,
  pieces,
  originalDialect,
  assistant,
]
