import { defineOperation } from '../../http/operation.ts'
import { listVersions } from '../../workspaces/list-versions.ts'
import { readVersion } from '../../workspaces/read-version.ts'
import { versionAnswer, versionParams, versionsAnswer, workspaceParams } from './workspaces-schemas.ts'
import { documentWire } from './workspaces-wire.ts'

const shared = {
  api: 'studio',
  method: 'GET',
  tag: 'workspaces',
  auth: 'session',
  cors: 'session',
} as const

const forbidden = 'The request does not come from a page of this site, or is for another account'

export const getWorkspaceVersions = defineOperation({
  ...shared,
  id: 'GET_workspaceVersions',
  path: '/workspaces/{account}/{id}/versions',
  summary: 'List what a workspace was over time',
  description: 'Many versions of the last hour, few of what was long ago; each with what changed in it.',
  request: { params: workspaceParams },
  responses: { 200: { description: 'The newest first', schema: versionsAnswer } },
  failures: { 400: 'Invalid account or id', 403: forbidden },
  handler: async (ctx, { params }) => ({
    status: 200,
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

export const getWorkspaceVersion = defineOperation({
  ...shared,
  id: 'GET_workspaceVersion',
  path: '/workspaces/{account}/{id}/versions/{revision}',
  summary: 'Read a workspace as it was',
  description: 'The whole document of one version.',
  request: { params: versionParams },
  responses: { 200: { description: 'The document', schema: versionAnswer } },
  failures: { 400: 'Invalid account, id or revision', 403: forbidden, 404: 'No longer kept' },
  handler: async (ctx, { params }) => {
    const { account, id, revision } = params
    const document = await readVersion(ctx, { account, id, revision: Number(revision) })
    return { status: 200, body: { document: documentWire(document) } }
  },
})
