import type { Feature } from '../feature.ts'
import {
  deleteWorkspaceOperation,
  getWorkspace,
  getWorkspaces,
  getWorkspaceVersion,
  getWorkspaceVersions,
  postWorkspaceRestore,
  putWorkspace,
} from './operations.ts'
import {
  deleteSharedDraft,
  getSharedDraft,
  getSharedDrafts,
  postSharedDraft,
} from './shared-draft-operations.ts'

export const workspaces: Feature = {
  name: 'workspaces',
  operations: [
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
  ],
}
