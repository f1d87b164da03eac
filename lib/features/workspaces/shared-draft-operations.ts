import { z } from 'zod'
import { addressInput } from '#lib/server/operations/chain/request-schemas.ts'
import { studioOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { accountParams, shortName, time } from '#lib/server/operations/studio/studio-schemas.ts'
import { documentWire, workDocument } from './operations.ts'
import {
  listSharedDrafts,
  readSharedDraft,
  revokeSharedDraft,
  type SharedDraft,
  shareDraft,
} from './shared-drafts.ts'

const shareRequest = z.strictObject({ name: shortName, document: workDocument })

/** 128 bits as text. */
const sharedDraftId = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'expected the address of a link')
const sharedDraftParams = z.object({ id: sharedDraftId })
const ownSharedDraftParams = z.object({ account: addressInput, id: sharedDraftId })

const sharedDraftAnswer = z.strictObject({
  id: z.string(),
  name: z.string(),
  created_at: time,
  bytes: z.int(),
})

const sharedDraftsAnswer = z.strictObject({ shared: z.array(sharedDraftAnswer) })

const sharedDocumentAnswer = z.strictObject({ name: z.string(), created_at: time, document: workDocument })

export type ShareRequest = z.input<typeof shareRequest>
export type SharedDraftAnswer = z.output<typeof sharedDraftAnswer>
export type SharedDraftsAnswer = z.output<typeof sharedDraftsAnswer>
export type SharedDocumentAnswer = z.output<typeof sharedDocumentAnswer>

/** Above the limit of a document, so that the error can state by how much one exceeds it. */
const MAX_SHARE_BYTES = 2 * 1024 * 1024

export const getSharedDrafts = studioOperation({
  id: 'GET_sharedDrafts',
  path: '/shared-drafts/{account}',
  summary: 'List the links of the signed-in account',
  description: 'Without their documents.',
  request: { params: accountParams },
  responses: { 200: { description: 'The newest first', schema: sharedDraftsAnswer } },
  failures: { 400: 'Invalid account' },
  handler: async (ctx, { params }) => ({
    body: { shared: (await listSharedDrafts(ctx, params.account)).map(sharedWire) },
  }),
})

export const postSharedDraft = studioOperation({
  id: 'POST_sharedDraft',
  path: '/shared-drafts/{account}',
  limit: 'write',
  summary: 'Share a document by an unguessable address',
  description: 'Stores a copy, which no later edit changes. Every client with the address can read it.',
  request: { params: accountParams, body: shareRequest, maxBodyBytes: MAX_SHARE_BYTES },
  responses: { 200: { description: 'The link', schema: sharedDraftAnswer } },
  failures: { 400: 'Bad request', 429: 'The account has reached its limits' },
  handler: async (ctx, { params, body }) => ({
    body: sharedWire(await shareDraft(ctx, { ...params, ...body })),
  }),
})

export const deleteSharedDraft = studioOperation({
  id: 'DELETE_sharedDraft',
  path: '/shared-drafts/{account}/{id}',
  limit: 'write',
  summary: 'Revoke a link',
  description: 'Deletes the copy that it leads to. Idempotent.',
  request: { params: ownSharedDraftParams },
  failures: { 400: 'Invalid account or id' },
  handler: (ctx, { params }) => revokeSharedDraft(ctx, params),
})

export const getSharedDraft = studioOperation({
  id: 'GET_sharedDraft',
  path: '/shared/{id}',
  auth: 'none',
  summary: 'Read a shared document',
  description: 'The address is the only credential.',
  request: { params: sharedDraftParams, invalidParams: 'not_found' },
  responses: { 200: { description: 'The document', schema: sharedDocumentAnswer } },
  failures: { 404: 'No such link, or it was revoked' },
  handler: async (ctx, { params }) => {
    const { name, createdAt, document } = await readSharedDraft(ctx, params.id)
    return {
      body: { name, created_at: createdAt.toISOString(), document: documentWire(document) },
    }
  },
})

function sharedWire({ id, name, createdAt, size }: SharedDraft) {
  return { id, name, created_at: createdAt.toISOString(), bytes: size }
}
