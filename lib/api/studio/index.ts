import type { Operation } from '../../http/operation.ts'
import { postCompile, postExplain, postPreview, postTry } from './preview.ts'
import { getPublications, postPublicationPlan } from './publication.ts'

/** What the studio asks of its own site. Not part of the two APIs: it changes with the pages that use it. */
export const studioOperations: readonly Operation[] = [
  postPreview,
  postExplain,
  postCompile,
  postTry,
  postPublicationPlan,
  getPublications,
]
