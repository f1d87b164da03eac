import { eq } from 'drizzle-orm'
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
import * as tables from './schema.ts'
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
  tables: Object.values(tables),
  deleteRows: async (tx, account) => {
    await tx.delete(tables.workspaces).where(eq(tables.workspaces.owner, account))
    await tx.delete(tables.sharedDrafts).where(eq(tables.sharedDrafts.owner, account))
  },
}
