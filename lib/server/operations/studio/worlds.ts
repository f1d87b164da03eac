import { connectorFormat, connectorStarts } from '../../../entities/connector-facts.ts'
import { compareBundle } from '../../../worlds/compare-bundle.ts'
import { reportWorld } from '../../../worlds/reports.ts'
import { defineOperation } from '../../http/operation.ts'
import { bundleFile } from '../services/world-schemas.ts'
import {
  comparisonAnswer,
  reportRequest,
  startsAnswer,
  startsParams,
  worldIdParams,
} from './worlds-schemas.ts'

const shared = { api: 'studio', tag: 'worlds', cors: 'session' } as const
const NOT_OURS = 'The request does not come from a page of this site'
/** Positions that a page lists. */
const LISTED_POSITIONS = 200

export const getConnectorStarts = defineOperation({
  ...shared,
  id: 'GET_connectorStarts',
  method: 'GET',
  path: '/starts/{name}',
  summary: 'List the positions at which a run of a connector can start',
  description: 'The first positions of a published connector or a draft, with its format.',
  auth: 'none',
  request: { params: startsParams },
  responses: { 200: { description: 'Positions in order, the indices first', schema: startsAnswer } },
  failures: { 400: 'Invalid name', 403: NOT_OURS, 404: 'No such connector' },
  handler: async (ctx, { params }) => {
    const [format, { lines, more }] = await Promise.all([
      connectorFormat(ctx, params.name),
      connectorStarts(ctx, params.name, LISTED_POSITIONS),
    ])
    return {
      status: 200,
      body: {
        format_hash: format.formatHash,
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

export const postWorldComparison = defineOperation({
  ...shared,
  id: 'POST_worldComparison',
  method: 'POST',
  path: '/worlds/{id}/comparison',
  summary: 'Compare a bundle with that of a World',
  description: 'For accounts that may replace it. Stores nothing.',
  auth: 'session',
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
      status: 200,
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

const report = {
  ...shared,
  method: 'POST',
  request: { params: worldIdParams, body: reportRequest },
  responses: { 204: { description: 'Reported to the administrators' } },
  failures: { 400: 'Bad request', 403: NOT_OURS, 404: 'No such World', 429: 'Too many reports within a day' },
} as const

export const postWorldReport = defineOperation({
  ...report,
  id: 'POST_worldReport',
  path: '/worlds/{id}/reports',
  summary: 'Report a World as the signed-in account',
  description: 'A repeated report updates the open one.',
  auth: 'session',
  limit: 'write',
  handler: async (ctx, { params, body }) => {
    await reportWorld(ctx, { id: params.id, ...body })
    return { status: 204 }
  },
})

export const postVisitorReport = defineOperation({
  ...report,
  id: 'POST_visitorReport',
  path: '/worlds/{id}/visitor-reports',
  summary: 'Report a World as a visitor',
  description: 'Visitors share a daily limit.',
  auth: 'none',
  limit: 'write',
  handler: async (ctx, { params, body }) => {
    await reportWorld(ctx, { id: params.id, ...body })
    return { status: 204 }
  },
})
