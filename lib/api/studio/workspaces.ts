import { defineOperation } from '../../http/operation.ts'
import { deleteWorkspace } from '../../workspaces/delete-workspace.ts'
import { listWorkspaces } from '../../workspaces/list-workspaces.ts'
import { readWorkspace } from '../../workspaces/read-workspace.ts'
import { restoreWorkspace } from '../../workspaces/restore-workspace.ts'
import { saveWorkspace } from '../../workspaces/save-workspace.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import {
  accountParams,
  deletionQuery,
  saveRequest,
  workspaceAnswer,
  workspaceParams,
  workspacesAnswer,
  workspaceWithDocumentAnswer,
} from './workspaces-schemas.ts'
import { documentWire } from './workspaces-wire.ts'

/** More than a document may have: who is a little over it is told by how much. */
const MAX_SAVE_BYTES = 8 * 1024 * 1024

const shared = { api: 'studio', tag: 'workspaces', auth: 'session', cors: 'session' } as const

const forbidden = 'The request does not come from a page of this site, or is for another account'

export const getWorkspaces = defineOperation({
  ...shared,
  id: 'GET_workspaces',
  method: 'GET',
  path: '/workspaces/{account}',
  summary: 'List the workspaces of the account that is signed in',
  description: 'Without what is in them. Recently deleted ones, which can be taken back, are among them.',
  request: { params: accountParams },
  responses: { 200: { description: 'The one saved last comes first', schema: workspacesAnswer } },
  failures: { 400: 'Invalid account', 403: forbidden },
  handler: async (ctx, { params }) => {
    const { workspaces, usedBytes } = await listWorkspaces(ctx, params.account)
    return { status: 200, body: { workspaces: workspaces.map(workspaceWire), used_bytes: usedBytes } }
  },
})

export const getWorkspace = defineOperation({
  ...shared,
  id: 'GET_workspace',
  method: 'GET',
  path: '/workspaces/{account}/{id}',
  summary: 'Read a workspace',
  description: 'As it was saved last, the sources of its bodies included.',
  request: { params: workspaceParams },
  responses: { 200: { description: 'The workspace', schema: workspaceWithDocumentAnswer } },
  failures: { 400: 'Invalid account or id', 403: forbidden, 404: 'No such workspace, or it is deleted' },
  handler: async (ctx, { params }) => {
    const { document, ...workspace } = await readWorkspace(ctx, params)
    return { status: 200, body: { ...workspaceWire(workspace), document: documentWire(document) } }
  },
})

export const putWorkspace = defineOperation({
  ...shared,
  id: 'PUT_workspace',
  limit: 'write',
  method: 'PUT',
  path: '/workspaces/{account}/{id}',
  summary: 'Save a workspace',
  description:
    'Names the revision it was made from, 0 for a new one. With any other than the present one nothing is saved. ' +
    'Saving a deleted workspace brings it back.',
  request: { params: workspaceParams, body: saveRequest, maxBodyBytes: MAX_SAVE_BYTES },
  responses: { 200: { description: 'The workspace with its new revision', schema: workspaceAnswer } },
  failures: {
    400: 'Bad request',
    403: forbidden,
    409: 'It was saved elsewhere in the meantime',
    429: 'The account has as many workspaces, or as much in them, as it may have',
  },
  handler: async (ctx, { params, body }) => ({
    status: 200,
    body: workspaceWire(await saveWorkspace(ctx, { ...params, ...body })),
  }),
})

export const deleteWorkspaceOperation = defineOperation({
  ...shared,
  id: 'DELETE_workspace',
  limit: 'write',
  method: 'DELETE',
  path: '/workspaces/{account}/{id}',
  summary: 'Delete a workspace',
  description: 'It can be taken back for thirty days. `for_good=true` ends that of one that is deleted.',
  request: { params: workspaceParams, query: deletionQuery },
  responses: { 204: { description: 'It is deleted, or was not there' } },
  failures: { 400: 'Bad request', 403: forbidden },
  handler: async (ctx, { params, query }) => {
    await deleteWorkspace(ctx, { ...params, forGood: query.for_good === 'true' })
    return { status: 204 }
  },
})

export const postWorkspaceRestore = defineOperation({
  ...shared,
  id: 'POST_workspaceRestore',
  limit: 'write',
  method: 'POST',
  path: '/workspaces/{account}/{id}/restore',
  summary: 'Take back the deletion of a workspace',
  description: 'One that is not deleted stays as it is.',
  request: { params: workspaceParams },
  responses: { 200: { description: 'The workspace', schema: workspaceAnswer } },
  failures: { 400: 'Invalid account or id', 403: forbidden, 404: 'It is gone for good' },
  handler: async (ctx, { params }) => ({
    status: 200,
    body: workspaceWire(await restoreWorkspace(ctx, params)),
  }),
})

function workspaceWire({ id, name, revision, createdAt, updatedAt, deletedAt }: Workspace) {
  return {
    id,
    name,
    revision,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    deleted_at: deletedAt?.toISOString() ?? null,
  }
}
