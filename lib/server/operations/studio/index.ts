import { deleteAgent, postAgentAnswer } from '#lib/features/agents/operations.ts'
import { postCompile, postExplain, postPreview, postTry } from '#lib/features/preview/operations.ts'
import { postSeenNotices } from '#lib/features/social/notice-operations.ts'
import { postReport } from '#lib/features/social/report-operations.ts'
import { postContractVerification } from '#lib/features/verifier/operations.ts'
import {
  deleteWebhook,
  getWebhookDeliveries,
  getWebhooks,
  patchWebhook,
  postWebhook,
  postWebhookReplay,
  postWebhookSecret,
  postWebhookTest,
} from '#lib/features/webhooks/operations.ts'
import {
  deleteWorkspaceOperation,
  getWorkspace,
  getWorkspaces,
  getWorkspaceVersion,
  getWorkspaceVersions,
  postWorkspaceRestore,
  putWorkspace,
} from '#lib/features/workspaces/operations.ts'
import {
  deleteSharedDraft,
  getSharedDraft,
  getSharedDrafts,
  postSharedDraft,
} from '#lib/features/workspaces/shared-draft-operations.ts'
import type { Operation } from '../../http/operation.ts'
import { postArtifacts, postPreviewDifference } from './artifacts.ts'
import { getFirstShown, postEntities } from './entities.ts'
import { postChainRun } from './execute.ts'
import { getMarks, getSaved, postMark, postPlay } from './pieces.ts'
import {
  getPublications,
  postPublicationBatch,
  postPublicationPlan,
  postPublicationPreparation,
  postSponsoredPublication,
} from './publication.ts'
import { deleteWorldPreview, postManifestCheck, postWorldPreview } from './world-previews.ts'
import {
  postWorldUploadAddress,
  postWorldUploadPreview,
  postWorldUploadPublication,
} from './world-uploads.ts'
import { deleteWorldPicture, getConnectorStarts, postWorldComparison, putWorldPicture } from './worlds.ts'

/** The endpoints behind the studio. Not part of the two APIs: they change with the pages that use them. */
export const studioOperations: readonly Operation[] = [
  postPreview,
  postExplain,
  postCompile,
  postTry,
  postArtifacts,
  postPreviewDifference,
  postEntities,
  getFirstShown,
  postChainRun,
  postPublicationPlan,
  postPublicationPreparation,
  postPublicationBatch,
  postSponsoredPublication,
  getPublications,
  getWorkspaces,
  getWorkspace,
  putWorkspace,
  deleteWorkspaceOperation,
  postWorkspaceRestore,
  getWorkspaceVersions,
  getWorkspaceVersion,
  getSharedDrafts,
  postSharedDraft,
  deleteSharedDraft,
  getSharedDraft,
  getMarks,
  postMark,
  getSaved,
  postPlay,
  postSeenNotices,
  getWebhooks,
  postWebhook,
  patchWebhook,
  deleteWebhook,
  postWebhookSecret,
  postWebhookTest,
  postWebhookReplay,
  getWebhookDeliveries,
  postAgentAnswer,
  deleteAgent,
  getConnectorStarts,
  postWorldComparison,
  putWorldPicture,
  deleteWorldPicture,
  postReport,
  postContractVerification,
  postWorldPreview,
  deleteWorldPreview,
  postManifestCheck,
  postWorldUploadAddress,
  postWorldUploadPreview,
  postWorldUploadPublication,
]
