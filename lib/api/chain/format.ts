import { z } from 'zod'
import { bareHash } from '../../domain/hash.ts'
import { limitQuery } from '../../http/inputs.ts'
import { defineOperation } from '../../http/operation.ts'
import { formatScalars, getFormat } from '../../registry/get-format.ts'
import { formatInfoResponse, hashInput, nameCursor } from './schemas.ts'
import { cursorWire } from './wire.ts'

export const getFormatInfo = defineOperation({
  id: 'GET_format',
  api: 'chain',
  method: 'GET',
  path: '/format/{hash}',
  tag: 'format',
  summary: 'List the connectors of a format',
  description:
    'Published connectors that share a format, ascending, with the labels of its scalars. A format nobody has ' +
    'published has no connectors.',
  auth: 'none',
  request: {
    params: z.object({ hash: hashInput }),
    query: z.object({ limit: limitQuery, after: nameCursor.optional() }),
  },
  responses: { 200: { description: 'A page of connectors', schema: formatInfoResponse } },
  failures: { 400: 'Invalid hash, limit or cursor' },
  reads: ['entities'],
  handler: async (ctx, { params: { hash }, query: { limit, after } }) => {
    const page = await getFormat(ctx, { formatHash: hash, limit, after: after ?? '' })
    return {
      status: 200,
      body: {
        format_hash: bareHash(hash),
        limit,
        total_connectors: page.total,
        cursor: cursorWire(page),
        scalars: [...(await formatScalars(ctx, hash, page))],
        connectors: [...page.keys],
      },
    }
  },
})
