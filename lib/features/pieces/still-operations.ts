import { z } from 'zod'
import { WORLD_PICTURE } from '#lib/protocol/world-manifest.ts'
import { isNamed } from '#lib/server/http/etag.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import { sharedOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { MAX_STILLS, putStill, readStill, removeStill } from './stills.ts'

const params = z.object({
  name: z.string().meta({ description: 'Name of a published connector.', example: 'weave' }),
})

const failures = { 403: 'Not its owner', 404: 'No connector of this name, nor a draft of the account' }

export const putPieceStill = sharedOperation({
  id: 'PUT_pieceStill',
  tag: 'pieces',
  path: '/pieces/{name}/still',
  summary: 'Store a picture of a piece',
  description:
    'For the owner of the connector. Takes the place of the picture that is drawn from its numbers, on this site; that of a ' +
    'draft once exactly that is published. Of the file only the pixels are kept, cut to 1200 x 630. An account stores at ' +
    `most ${MAX_STILLS}.`,
  limit: 'upload',
  storesFiles: 'site',
  request: {
    params,
    invalidParams: 'not_found',
    file: {
      field: 'picture',
      maxBytes: WORLD_PICTURE.bytes,
      description: `A PNG of at most ${WORLD_PICTURE.side} x ${WORLD_PICTURE.side} pixels.`,
    },
  },
  failures: { 400: 'Not a PNG as browsers write it, or too large', ...failures },
  handler: (ctx, { params: { name }, file }) => putStill(ctx, { name, png: file }),
})

export const deletePieceStill = sharedOperation({
  id: 'DELETE_pieceStill',
  tag: 'pieces',
  path: '/pieces/{name}/still',
  summary: 'Remove the picture of a piece',
  description: 'For the owner of the connector. Its picture is drawn from its numbers again.',
  limit: 'write',
  request: { params, invalidParams: 'not_found' },
  failures,
  handler: (ctx, { params: { name } }) => removeStill(ctx, name),
})

const headers = { ETag: 'The hash, and the size of a small one.' }

/** As long as caches keep the redirect of a picture that leads here. */
const MAX_AGE_SECONDS = 600

export const getStill = defineOperation({
  id: 'GET_still',
  api: 'services',
  path: '/stills/{hash}',
  tag: 'pieces',
  summary: 'Read a picture of a piece by its hash',
  description:
    'A WebP of 1200 x 630 pixels and at most 300 kB; a tile has 480 x 270 and at most 50 kB. `/pictures/connector/NAME.png` leads to the one of a piece.',
  auth: 'none',
  errors: 'text',
  addition: true,
  request: {
    params: z.object({
      hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .meta({
          description: 'SHA-256 of the picture, 64 lower-case hex digits.',
          example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        }),
    }),
    query: z.object({
      size: z.literal('tile').optional().meta({ description: 'The small one.', example: 'tile' }),
    }),
    headers: z.object({
      'if-none-match': z.string().optional().meta({ description: 'ETags of cached copies.', example: '*' }),
    }),
    invalidParams: 'not_found',
  },
  responses: {
    200: { description: 'The picture', contentType: 'image/webp', headers },
    304: { description: 'Unchanged', headers },
  },
  failures: { 404: 'No such picture, or its piece is hidden' },
  example: { response: 'RIFF…' },
  handler: async (ctx, { params: { hash }, query, headers }) => {
    const size = query.size ?? 'card'
    const etag = size === 'card' ? `"${hash}"` : `"${hash}-${size}"`
    const isCached = isNamed(headers['if-none-match'], etag)
    const bytes = await readStill(ctx, hash, { size, isCached })
    const described = {
      ETag: etag,
      // Not for ever, though the hash names the bytes: an operator may hide the piece, and its owner may remove the picture.
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    }
    if (isCached) return { status: 304, headers: described }
    return {
      status: 200,
      headers: { ...described, 'Content-Type': 'image/webp', 'Content-Length': String(bytes.byteLength) },
      body: bytes,
    }
  },
})
