import { z } from 'zod'
import { addressUpload, takeUpload } from '#lib/core/worlds/addressed-upload.ts'
import { previewWorld } from '#lib/core/worlds/preview-world.ts'
import { uploadWorld } from '#lib/core/worlds/publish-world.ts'
import { studioOperation } from './studio-operation.ts'
import { previewWire } from './world-previews.ts'
import { previewAnswer } from './worlds.ts'

const NO_UPLOAD = 'No such upload of the account, it expired or was completed, or the site takes none'
const INVALID = 'Other bytes than announced, or an invalid bundle; the text lists all problems'

const addressAnswer = z.strictObject({
  key: z.string(),
  url: z.string(),
  type: z.string(),
  expires_at: z.string(),
})

const publishedAnswer = z.strictObject({ id: z.string(), slug: z.string() })

export type UploadAddressAnswer = z.output<typeof addressAnswer>
export type PublishedUploadAnswer = z.output<typeof publishedAnswer>

const completion = z.strictObject({ key: z.string().max(200) })

export const postWorldUploadAddress = studioOperation({
  id: 'POST_worldUploadAddress',
  path: '/world-uploads',
  summary: 'Get a signed address for a bundle',
  description:
    'Where the site takes large bundles by way of its bucket: PUT exactly the announced bytes there, with the type ' +
    'named here, within ten minutes; then preview or publish them.',
  limit: 'upload',
  storesFiles: 'site',
  request: { body: z.strictObject({ bytes: z.int().min(1) }) },
  responses: { 201: { description: 'The address', schema: addressAnswer } },
  failures: {
    400: 'Bad request',
    404: 'The site takes bundles directly only',
    413: 'Larger than a bundle may be',
    429: 'The account has begun too many uploads',
  },
  handler: async (ctx, { body }) => {
    const { key, url, type, expiresAt } = await addressUpload(ctx, body.bytes)
    return { body: { key, url, type, expires_at: expiresAt.toISOString() } }
  },
})

export const postWorldUploadPreview = studioOperation({
  id: 'POST_worldUploadPreview',
  path: '/world-uploads/preview',
  summary: 'Preview an uploaded bundle',
  description: 'As a bundle that is sent directly. The upload is then deleted, whatever the outcome.',
  limit: 'upload',
  storesFiles: 'site',
  request: { body: completion },
  responses: { 200: { description: 'The preview and its address', schema: previewAnswer } },
  failures: { 400: INVALID, 404: NO_UPLOAD },
  handler: async (ctx, { body }) => ({
    body: previewWire(await takeUpload(ctx, body.key, (zip) => previewWorld(ctx, zip))),
  }),
})

export const postWorldUploadPublication = studioOperation({
  id: 'POST_worldUploadPublication',
  path: '/world-uploads/publication',
  summary: 'Publish an uploaded bundle as a new World',
  description: 'As a bundle that is sent directly. The upload is then deleted, whatever the outcome.',
  limit: 'upload',
  storesFiles: 'account',
  request: { body: completion },
  responses: { 201: { description: 'The World', schema: publishedAnswer } },
  failures: {
    400: INVALID,
    404: NO_UPLOAD,
    409: 'An active World has the slug',
    429: 'The account has reached its limit of Worlds',
  },
  handler: async (ctx, { body }) => {
    const { id, manifest } = await takeUpload(ctx, body.key, (zip) => uploadWorld(ctx, zip))
    return { body: { id, slug: manifest.slug } }
  },
})
