import { z } from 'zod'
import { addressInput } from '#lib/server/operations/chain/request-schemas.ts'
import { studioOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { accountParams, shortName, time } from '#lib/server/operations/studio/studio-schemas.ts'
import { listVersions, readVersion } from './versions.ts'
import type { Workspace, WorkspaceDocument } from './workspace.ts'
import {
  deleteWorkspace,
  listWorkspaces,
  readWorkspace,
  restoreWorkspace,
  saveWorkspace,
} from './workspaces.ts'

/*
 * Requests and responses for unpublished work. A document is validated only as far as the server uses it: the
 * page checks the rest when it reads it back, as it does with what its own browser stored.
 */

const MAX_ENTRIES = 2_000
const MAX_PLACES = 100_000
const MAX_WORLDS = 500

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected up to 64 letters, digits, - and _')
const revision = z.int().min(0).max(2_000_000_000)

export const workDocument = z.strictObject({
  entries: z
    .array(
      z.looseObject({
        id: z.string().min(1).max(64),
        kind: z.string().max(32),
        name: z.string().max(1_000),
      }),
    )
    .max(MAX_ENTRIES, `expected at most ${MAX_ENTRIES} entries`),
  places: z.array(z.unknown()).max(MAX_PLACES),
  worlds: z.array(z.unknown()).max(MAX_WORLDS).optional(),
})

const workspaceParams = z.object({ account: addressInput, id })
const versionParams = z.object({
  account: addressInput,
  id,
  revision: z.string().regex(/^[1-9]\d{0,8}$/, 'expected a revision'),
})

/** `for_good=true` makes a deletion permanent. */
const deletionQuery = z.object({ for_good: z.enum(['true', 'false']).optional() })

const saveRequest = z.strictObject({ revision, name: shortName, document: workDocument })

const workspaceAnswer = z.strictObject({
  id: z.string(),
  name: z.string(),
  revision,
  created_at: time,
  updated_at: time,
  deleted_at: time.nullable(),
})

const workspacesAnswer = z.strictObject({
  workspaces: z.array(workspaceAnswer),
  used_bytes: z.int(),
})

const workspaceWithDocumentAnswer = workspaceAnswer.extend({ document: workDocument })

const versionsAnswer = z.strictObject({
  versions: z.array(
    z.strictObject({
      revision,
      saved_at: time,
      entries: z.int(),
      /** Since the previous retained version; the first dozen. */
      changes: z.array(
        z.strictObject({
          change: z.enum(['added', 'removed', 'renamed', 'changed']),
          kind: z.string(),
          name: z.string(),
          name_before: z.string().nullable(),
        }),
      ),
      /** All of them. */
      changed: z.int(),
    }),
  ),
})

const versionAnswer = z.strictObject({ document: workDocument })

export type SaveRequest = z.input<typeof saveRequest>
export type WorkspaceAnswer = z.output<typeof workspaceAnswer>
export type WorkspacesAnswer = z.output<typeof workspacesAnswer>
export type WorkspaceWithDocumentAnswer = z.output<typeof workspaceWithDocumentAnswer>
export type VersionsAnswer = z.output<typeof versionsAnswer>
export type VersionAnswer = z.output<typeof versionAnswer>

/** Above the limit of a document, so that the error can state by how much one exceeds it. */
const MAX_SAVE_BYTES = 8 * 1024 * 1024

export const getWorkspaces = studioOperation({
  id: 'GET_workspaces',
  path: '/workspaces/{account}',
  summary: 'List the workspaces of the signed-in account',
  description: 'Without their documents. Includes recently deleted workspaces, which can be restored.',
  request: { params: accountParams },
  responses: { 200: { description: 'The last saved first', schema: workspacesAnswer } },
  failures: { 400: 'Invalid account' },
  handler: async (ctx, { params }) => {
    const { workspaces, usedBytes } = await listWorkspaces(ctx, params.account)
    return { body: { workspaces: workspaces.map(workspaceWire), used_bytes: usedBytes } }
  },
})

export const getWorkspace = studioOperation({
  id: 'GET_workspace',
  path: '/workspaces/{account}/{id}',
  summary: 'Read a workspace',
  description: 'The last saved document, including the sources of its bodies.',
  request: { params: workspaceParams },
  responses: { 200: { description: 'The workspace', schema: workspaceWithDocumentAnswer } },
  failures: { 400: 'Invalid account or id', 404: 'No such workspace, or it is deleted' },
  handler: async (ctx, { params }) => {
    const { document, ...workspace } = await readWorkspace(ctx, params)
    return { body: { ...workspaceWire(workspace), document: documentWire(document) } }
  },
})

export const putWorkspace = studioOperation({
  id: 'PUT_workspace',
  limit: 'write',
  path: '/workspaces/{account}/{id}',
  summary: 'Save a workspace',
  description:
    'Names the base revision, 0 for a new workspace. Any other than the current revision is a conflict and saves nothing. ' +
    'Saving a deleted workspace restores it.',
  request: { params: workspaceParams, body: saveRequest, maxBodyBytes: MAX_SAVE_BYTES },
  responses: { 200: { description: 'The workspace with its new revision', schema: workspaceAnswer } },
  failures: {
    400: 'Bad request',
    409: 'Conflict: saved elsewhere in the meantime',
    429: 'The account has reached its limit of workspaces or of stored bytes',
  },
  handler: async (ctx, { params, body }) => ({
    body: workspaceWire(await saveWorkspace(ctx, { ...params, ...body })),
  }),
})

export const deleteWorkspaceOperation = studioOperation({
  id: 'DELETE_workspace',
  limit: 'write',
  path: '/workspaces/{account}/{id}',
  summary: 'Delete a workspace',
  description:
    'It can be restored for thirty days. `for_good=true` permanently deletes one that is already deleted.',
  request: { params: workspaceParams, query: deletionQuery },
  failures: { 400: 'Bad request' },
  handler: (ctx, { params, query }) =>
    deleteWorkspace(ctx, { ...params, forGood: query.for_good === 'true' }),
})

export const postWorkspaceRestore = studioOperation({
  id: 'POST_workspaceRestore',
  limit: 'write',
  path: '/workspaces/{account}/{id}/restore',
  summary: 'Restore a deleted workspace',
  description: 'A workspace that is not deleted is unchanged.',
  request: { params: workspaceParams },
  responses: { 200: { description: 'The workspace', schema: workspaceAnswer } },
  failures: { 400: 'Invalid account or id', 404: 'Permanently deleted' },
  handler: async (ctx, { params }) => ({
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

export const getWorkspaceVersions = studioOperation({
  id: 'GET_workspaceVersions',
  path: '/workspaces/{account}/{id}/versions',
  summary: 'List the versions of a workspace',
  description: 'Many versions of the last hour, few older ones; each with its changes.',
  request: { params: workspaceParams },
  responses: { 200: { description: 'The newest first', schema: versionsAnswer } },
  failures: { 400: 'Invalid account or id' },
  handler: async (ctx, { params }) => ({
    body: {
      versions: (await listVersions(ctx, params)).map(({ savedAt, changes, ...version }) => ({
        ...version,
        saved_at: savedAt.toISOString(),
        changes: changes.map(({ change, kind, name, nameBefore }) => ({
          change,
          kind,
          name,
          name_before: nameBefore ?? null,
        })),
      })),
    },
  }),
})

export const getWorkspaceVersion = studioOperation({
  id: 'GET_workspaceVersion',
  path: '/workspaces/{account}/{id}/versions/{revision}',
  summary: 'Read a version of a workspace',
  description: 'The whole document of one version.',
  request: { params: versionParams },
  responses: { 200: { description: 'The document', schema: versionAnswer } },
  failures: { 400: 'Invalid account, id or revision', 404: 'No longer stored' },
  handler: async (ctx, { params }) => {
    const { account, id, revision } = params
    const document = await readVersion(ctx, { account, id, revision: Number(revision) })
    return { body: { document: documentWire(document) } }
  },
})

/** A document of a workspace as it is sent. */
export function documentWire({ entries, places, worlds }: WorkspaceDocument) {
  return { entries: [...entries], places: [...places], ...(worlds && { worlds: [...worlds] }) }
}
