import { defineOperation } from '../../http/operation.ts'
import { checkManifest } from '../../worlds/check-manifest.ts'
import { endPreview } from '../../worlds/end-preview.ts'
import { previewWorld, type StartedPreview } from '../../worlds/preview-world.ts'
import { bundleFile } from '../services/world-schemas.ts'
import { manifestAnswer, manifestRequest, previewAnswer, worldIdParams } from './worlds-schemas.ts'

const shared = { api: 'studio', tag: 'worlds', cors: 'session' } as const
const NOT_OURS = 'The request does not come from a page of this site'
/** The longest manifest, escaped. */
const MAX_MANIFEST_BODY = 1024 * 1024

const preview = {
  ...shared,
  method: 'POST',
  description:
    'Serves the bundle for half an hour as a World would be, under an address that nobody else knows. Publishes nothing.',
  request: { file: bundleFile },
  responses: { 200: { description: 'Where it is', schema: previewAnswer } },
  failures: {
    400: 'Invalid bundle; the text says everything that is wrong',
    403: NOT_OURS,
    429: 'Visitors have as many previews as they may have together',
  },
} as const

export const postWorldPreview = defineOperation({
  ...preview,
  id: 'POST_worldPreview',
  path: '/world-previews',
  summary: 'Look at a bundle before publishing it, as the account that is signed in',
  auth: 'session',
  limit: 'upload',
  handler: async (ctx, { file }) => ({ status: 200, body: previewWire(await previewWorld(ctx, file)) }),
})

export const postVisitorWorldPreview = defineOperation({
  ...preview,
  id: 'POST_visitorWorldPreview',
  path: '/visitor-world-previews',
  summary: 'Look at a bundle before publishing it, as a visitor',
  auth: 'none',
  limit: 'upload',
  handler: async (ctx, { file }) => ({ status: 200, body: previewWire(await previewWorld(ctx, file)) }),
})

export const deleteWorldPreview = defineOperation({
  ...shared,
  id: 'DELETE_worldPreview',
  method: 'DELETE',
  path: '/world-previews/{id}',
  summary: 'End a preview before its time',
  description: 'For whoever knows its id. Nothing of it is left.',
  auth: 'none',
  limit: 'upload',
  request: { params: worldIdParams },
  responses: { 204: { description: 'It is gone' } },
  failures: { 403: NOT_OURS },
  handler: async (ctx, { params }) => {
    await endPreview(ctx, params.id)
    return { status: 204 }
  },
})

export const postManifestCheck = defineOperation({
  ...shared,
  id: 'POST_manifestCheck',
  method: 'POST',
  path: '/world-manifests',
  summary: 'Hold a manifest against its rules',
  description: 'Without its bundle. Stores nothing.',
  auth: 'none',
  limit: 'write',
  request: { body: manifestRequest, maxBodyBytes: MAX_MANIFEST_BODY },
  responses: { 200: { description: 'What is wrong with it', schema: manifestAnswer } },
  failures: { 400: 'Bad request', 403: NOT_OURS },
  handler: async (ctx, { body }) => {
    const { problems, warnings, refusal } = await checkManifest(ctx, body.manifest)
    return {
      status: 200,
      body: {
        problems: [...problems],
        warnings: [...warnings],
        ...(refusal !== undefined && { refusal }),
      },
    }
  },
})

function previewWire({ id, bundle, size, expiresAt, refusal }: StartedPreview) {
  return {
    id,
    version: bundle.manifest.version,
    bundle_hash: bundle.bundleHash,
    files: size.files,
    bytes: size.bytes,
    expires_at: expiresAt.toISOString(),
    warnings: [...bundle.warnings],
    ...(refusal !== undefined && { refusal }),
  }
}
