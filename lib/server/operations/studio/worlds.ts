import { z } from 'zod'
import { findPieces } from '#lib/core/entities/author-words.ts'
import { connectorFormat, connectorStarts } from '#lib/core/entities/connector-facts.ts'
import { findEntityPublication } from '#lib/core/entities/find-publication.ts'
import { capturePicture, removePicture } from '#lib/core/worlds/captured-picture.ts'
import { compareBundle } from '#lib/core/worlds/compare-bundle.ts'
import { WORLD_PICTURE } from '#lib/protocol/world-manifest.ts'
import { entityName } from '../chain/request-schemas.ts'
import { bundleFile } from '../services/world-schemas.ts'
import { studioOperation } from './studio-operation.ts'

/* Requests and responses for the pages around Worlds. */

export const worldIdParams = z.object({ id: z.string() })

function pair<T extends z.ZodType>(value: T) {
  return z.strictObject({ before: value, after: value })
}

const comparisonAnswer = z.strictObject({
  version: pair(z.string()),
  bundle_hash: z.string(),
  same: z.boolean(),
  changes: z.array(
    z.strictObject({ path: z.string(), before: z.int().optional(), after: z.int().optional() }),
  ),
  unchanged: z.int(),
  size: pair(z.int()),
  permissions: z.strictObject({ gained: z.array(z.string()), lost: z.array(z.string()) }),
  fields: z.array(z.string()),
  warnings: z.array(z.string()),
  refusal: z.string().optional(),
})

/** Half an hour of a bundle that is not published. */
export const previewAnswer = z.strictObject({
  id: z.string(),
  version: z.string(),
  bundle_hash: z.string(),
  files: z.int(),
  bytes: z.int(),
  expires_at: z.string(),
  warnings: z.array(z.string()),
  refusal: z.string().optional(),
})

const startsParams = z.object({ name: entityName })

const startsAnswer = z.strictObject({
  /** Null for a piece without one. */
  title: z.string().nullable(),
  format_hash: z.string(),
  /** Null for a draft. */
  address: z.string().nullable(),
  scalars: z.array(z.string()),
  more: z.boolean(),
  lines: z.array(
    z.strictObject({
      position: z.int(),
      path: z.string(),
      depth: z.int(),
      name: z.string(),
      leads_to: z.string(),
      start_point: z.int(),
      transformation_shift: z.int(),
      locked: z.boolean(),
    }),
  ),
})

export type ComparisonAnswer = z.output<typeof comparisonAnswer>
export type StartsAnswer = z.output<typeof startsAnswer>
export type WorldPreviewAnswer = z.output<typeof previewAnswer>

/** Positions that a page lists. */
const LISTED_POSITIONS = 200

export const getConnectorStarts = studioOperation({
  id: 'GET_connectorStarts',
  path: '/starts/{name}',
  summary: 'List the positions at which a run of a connector can start',
  description: 'The first positions of a published connector or a draft, with its format.',
  auth: 'none',
  request: { params: startsParams },
  responses: { 200: { description: 'Positions in order, the indices first', schema: startsAnswer } },
  failures: { 400: 'Invalid name', 404: 'No such connector' },
  handler: async (ctx, { params }) => {
    const [format, publication, pieces, { lines, more }] = await Promise.all([
      connectorFormat(ctx, params.name),
      findEntityPublication(ctx, 'connector', params.name),
      findPieces(ctx, [params.name]),
      connectorStarts(ctx, params.name, LISTED_POSITIONS),
    ])
    return {
      body: {
        title: pieces.get(params.name)?.title ?? null,
        format_hash: format.formatHash,
        address: publication?.address ?? null,
        scalars: [...format.scalars],
        more,
        lines: lines.map(({ leadsTo, otherwise, ...line }) => ({
          ...line,
          leads_to: leadsTo,
          start_point: otherwise.startPoint,
          transformation_shift: otherwise.transformationShift,
        })),
      },
    }
  },
})

export const postWorldComparison = studioOperation({
  id: 'POST_worldComparison',
  path: '/worlds/{id}/comparison',
  summary: 'Compare a bundle with that of a World',
  description: 'For accounts that may replace it. Stores nothing.',
  limit: 'upload',
  request: { params: worldIdParams, file: bundleFile },
  responses: { 200: { description: 'The differences', schema: comparisonAnswer } },
  failures: {
    400: 'Invalid bundle; the text lists all problems',
    403: 'Not the owner',
    404: 'No such World',
  },
  handler: async (ctx, { params, file }) => {
    const { bundleHash, refusal, changes, fields, warnings, permissions, ...rest } = await compareBundle(
      ctx,
      { id: params.id, zip: file },
    )
    return {
      body: {
        ...rest,
        bundle_hash: bundleHash,
        changes: changes.map((change) => ({ ...change })),
        permissions: { gained: [...permissions.gained], lost: [...permissions.lost] },
        fields: [...fields],
        warnings: [...warnings],
        ...(refusal !== undefined && { refusal }),
      },
    }
  },
})

const pictureFile = {
  field: 'picture',
  maxBytes: WORLD_PICTURE.bytes,
  description: `A PNG of at most ${WORLD_PICTURE.side} x ${WORLD_PICTURE.side} pixels.`,
} as const

export const putWorldPicture = studioOperation({
  id: 'PUT_worldPicture',
  path: '/worlds/{id}/picture',
  summary: 'Store a captured picture as the preview of a World',
  description: 'For accounts that may replace it. Of the file, only the pixels are kept.',
  limit: 'upload',
  storesFiles: 'account',
  request: { params: worldIdParams, file: pictureFile },
  failures: {
    400: 'Not a PNG as browsers write it, or too large',
    403: 'Not the owner',
    404: 'No such World',
  },
  handler: (ctx, { params, file }) => capturePicture(ctx, { id: params.id, png: file }),
})

export const deleteWorldPicture = studioOperation({
  id: 'DELETE_worldPicture',
  path: '/worlds/{id}/picture',
  summary: 'Remove the captured picture of a World',
  description: 'For accounts that may replace it. Its preview is the one that its bundle names again.',
  limit: 'write',
  request: { params: worldIdParams },
  failures: { 403: 'Not the owner', 404: 'No such World' },
  handler: (ctx, { params }) => removePicture(ctx, params.id),
})
