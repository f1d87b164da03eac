import { endPreview, previewWorld, type StartedPreview } from '#lib/core/worlds/preview-world.ts'
import { bundleFile } from '../services/world-schemas.ts'
import { studioOperation } from './studio-operation.ts'
import { previewAnswer, worldIdParams } from './worlds.ts'

export const postWorldPreview = studioOperation({
  id: 'POST_worldPreview',
  path: '/world-previews',
  auth: 'optional',
  summary: 'Preview a bundle before publishing it',
  description:
    'Serves the bundle like a World for 30 minutes, under an unguessable address. Publishes nothing.',
  limit: 'upload',
  storesFiles: 'site',
  request: { file: bundleFile },
  responses: { 200: { description: 'The preview and its address', schema: previewAnswer } },
  failures: {
    400: 'Invalid bundle; the text lists all problems',
  },
  handler: async (ctx, { file }) => ({ body: previewWire(await previewWorld(ctx, file)) }),
})

export const deleteWorldPreview = studioOperation({
  id: 'DELETE_worldPreview',
  path: '/world-previews/{id}',
  summary: 'Delete a preview before it expires',
  description: 'The id is the only credential. All of its data is deleted.',
  auth: 'none',
  limit: 'upload',
  request: { params: worldIdParams },
  handler: (ctx, { params }) => endPreview(ctx, params.id),
})

export function previewWire({ id, bundle, size, expiresAt, refusal }: StartedPreview) {
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
