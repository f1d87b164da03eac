export type {
  SaveRequest,
  VersionAnswer,
  VersionsAnswer,
  WorkspaceAnswer,
  WorkspacesAnswer,
  WorkspaceWithDocumentAnswer,
} from './operations.ts'
export type {
  SharedDocumentAnswer,
  SharedDraftAnswer,
  SharedDraftsAnswer,
  ShareRequest,
} from './shared-draft-operations.ts'
