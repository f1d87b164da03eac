import { z } from 'zod'
import { bareAddress } from '../../domain/address.ts'
import type { Address } from '../../domain/entity.ts'
import { limitQuery } from '../../http/inputs.ts'
import { defineOperation } from '../../http/operation.ts'
import { listAccounts } from '../../registry/list-accounts.ts'
import { accountListResponse, addressCursor } from './schemas.ts'
import { cursorWire } from './wire.ts'

const query = z.object({ limit: limitQuery, after: addressCursor.optional() })
const bare = (key: string) => bareAddress(key as Address)

export const getAccounts = defineOperation({
  id: 'GET_accounts',
  api: 'chain',
  method: 'GET',
  path: '/accounts',
  tag: 'account',
  summary: 'List accounts',
  description: 'Owners of published entities, ascending. Page with `cursor.next_after`.',
  auth: 'none',
  request: { query },
  responses: { 200: { description: 'A page of accounts', schema: accountListResponse } },
  failures: { 400: 'Invalid limit or cursor' },
  cache: 'no-cache',
  reads: ['entities'],
  handler: async (ctx, { query: { limit, after } }) => {
    const page = await listAccounts(ctx, { limit, after })
    return {
      status: 200,
      body: {
        limit,
        total_accounts: page.total,
        cursor: cursorWire(page, bare),
        accounts: page.keys.map(bare),
      },
    }
  },
})

export const headAccounts = defineOperation({
  id: 'HEAD_accounts',
  api: 'chain',
  method: 'HEAD',
  path: '/accounts',
  tag: 'account',
  summary: 'Check a query for accounts',
  description: 'Says whether `GET` would accept the query; reads nothing.',
  auth: 'none',
  request: { query },
  responses: { 200: { description: 'The query is valid' } },
  failures: { 400: 'Invalid limit or cursor' },
  handler: async () => ({ status: 200 }),
})
