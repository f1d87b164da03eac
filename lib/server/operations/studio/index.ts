import { features } from '#lib/features/index.ts'
import type { Operation } from '../../http/operation.ts'
import { postArtifacts } from './artifacts.ts'
import { getFirstShown, postEntities, postTitles } from './entities.ts'
import { postChainRun } from './execute.ts'
import {
  getPublications,
  postPublicationBatch,
  postPublicationPlan,
  postPublicationPreparation,
} from './publication.ts'
import { postWorldImport } from './world-imports.ts'
import { deleteWorldPreview, postWorldPreview } from './world-previews.ts'
import {
  postWorldUploadAddress,
  postWorldUploadPreview,
  postWorldUploadPublication,
} from './world-uploads.ts'
import { deleteWorldPicture, getConnectorStarts, postWorldComparison, putWorldPicture } from './worlds.ts'

/** The endpoints behind the studio. Not part of the two APIs: they change with the pages that use them. */
export const studioOperations: readonly Operation[] = [
  ...features.flatMap(({ operations = [] }) => operations.filter(({ api }) => api === 'studio')),
  postArtifacts,
  postEntities,
  getFirstShown,
  postTitles,
  postChainRun,
  postPublicationPlan,
  postPublicationPreparation.studio,
  postPublicationBatch.studio,
  getPublications.studio,
  getConnectorStarts,
  postWorldComparison,
  putWorldPicture,
  deleteWorldPicture,
  postWorldPreview,
  deleteWorldPreview,
  postWorldImport.studio,
  postWorldUploadAddress,
  postWorldUploadPreview,
  postWorldUploadPublication,
]
