import { z } from 'zod'
import type { Hash } from '../../domain/entity.ts'
import { bareHash } from '../../domain/hash.ts'
import { limitQuery } from '../../http/inputs.ts'
import { defineOperation } from '../../http/operation.ts'
import { listFormats } from '../../registry/list-formats.ts'
import { formatListResponse, hashCursor } from './schemas.ts'
import { cursorWire } from './wire.ts'

const query = z.object({ limit: limitQuery, after: hashCursor.optional() })
const bare = (key: string) => bareHash(key as Hash)

export const getFormats = defineOperation({
  id: 'GET_formats',
  api: 'chain',
  method: 'GET',
  path: '/formats',
  tag: 'format',
  summary: 'List formats',
  description: 'Formats of published connectors, ascending. Page with `cursor.next_after`.',
  auth: 'none',
  request: { query },
  responses: { 200: { description: 'A page of formats', schema: formatListResponse } },
  failures: { 400: 'Invalid limit or cursor' },
  cache: 'no-cache',
  reads: ['entities'],
  handler: async (ctx, { query: { limit, after } }) => {
    const page = await listFormats(ctx, { limit, after })
    return {
      status: 200,
      body: {
        limit,
        total_formats: page.total,
        cursor: cursorWire(page, bare),
        formats: page.keys.map(bare),
      },
    }
  },
})

export const headFormats = defineOperation({
  id: 'HEAD_formats',
  api: 'chain',
  method: 'HEAD',
  path: '/formats',
  tag: 'format',
  summary: 'Check a query for formats',
  description: 'Says whether `GET` would accept the query; reads nothing.',
  auth: 'none',
  request: { query },
  responses: { 200: { description: 'The query is valid' } },
  failures: { 400: 'Invalid limit or cursor' },
  handler: async () => ({ status: 200 }),
})
