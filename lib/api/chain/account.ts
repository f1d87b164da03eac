import { z } from 'zod'
import { bareAddress } from '../../domain/address.ts'
import { limitQuery } from '../../http/inputs.ts'
import { defineOperation } from '../../http/operation.ts'
import { getAccount } from '../../registry/get-account.ts'
import { accountInfoResponse, addressInput, nameCursor } from './schemas.ts'
import { cursorWire } from './wire.ts'

export const getAccountInfo = defineOperation({
  id: 'GET_accountInfo',
  api: 'chain',
  method: 'GET',
  path: '/account/{address}',
  tag: 'account',
  summary: 'List what an account owns',
  description:
    'Names of drafts and published entities alike, ascending, in three lists that page on their own. An account ' +
    'nobody has heard of owns nothing.',
  auth: 'none',
  request: {
    params: z.object({ address: addressInput }),
    query: z.object({
      limit: limitQuery,
      after_connectors: nameCursor.optional(),
      after_transformations: nameCursor.optional(),
      after_conditions: nameCursor.optional(),
    }),
  },
  responses: { 200: { description: 'A page of each list', schema: accountInfoResponse } },
  failures: { 400: 'Invalid address, limit or cursor' },
  cache: 'no-cache',
  reads: ['drafts', 'entities'],
  handler: async (ctx, { params: { address }, query }) => {
    const { connector, transformation, condition } = await getAccount(ctx, {
      address,
      limit: query.limit,
      after: {
        connector: query.after_connectors ?? '',
        transformation: query.after_transformations ?? '',
        condition: query.after_conditions ?? '',
      },
    })
    return {
      status: 200,
      body: {
        address: bareAddress(address),
        limit: query.limit,
        owned_connectors: [...connector.keys],
        owned_transformations: [...transformation.keys],
        owned_conditions: [...condition.keys],
        cursor_connectors: cursorWire(connector),
        cursor_transformations: cursorWire(transformation),
        cursor_conditions: cursorWire(condition),
      },
    }
  },
})
