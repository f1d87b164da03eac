import { z } from 'zod'
import { getAccount } from '#lib/core/entities/get-account.ts'
import { formatScalars, getFormat } from '#lib/core/entities/get-format.ts'
import { listAccounts, listFormats } from '#lib/core/entities/list-keys.ts'
import { bareAddress } from '#lib/protocol/address.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { bareHash } from '#lib/protocol/hash.ts'
import { limitQuery } from '../../http/inputs.ts'
import { defineOperation } from '../../http/operation.ts'
import { addressCursor, addressInput, hashCursor, hashInput, nameCursor } from './request-schemas.ts'
import {
  accountInfoResponse,
  accountListResponse,
  formatInfoResponse,
  formatListResponse,
} from './response-schemas.ts'
import { cursorWire } from './wire.ts'

/* Accounts and formats: their lists, and a page of what one of them holds. */

const shared = { api: 'chain', auth: 'none' } as const
const accountsQuery = z.object({ limit: limitQuery, after: addressCursor.optional() })
const formatsQuery = z.object({ limit: limitQuery, after: hashCursor.optional() })

function listFacts(keys: 'accounts' | 'formats', tag: string) {
  return {
    ...shared,
    id: `GET_${keys}`,
    path: `/${keys}`,
    tag,
    summary: `List ${keys}`,
    tool: { name: `list_${keys}`, effect: 'reads' },
    failures: { 400: 'Invalid limit or cursor' },
    cache: 'no-cache',
  } as const
}

function headOfList(keys: 'accounts' | 'formats', tag: string, query: z.ZodObject) {
  return defineOperation({
    ...shared,
    id: `HEAD_${keys}`,
    path: `/${keys}`,
    tag,
    summary: `Check a query for ${keys}`,
    description: 'Validates the query as `GET` would; reads nothing.',
    request: { query },
    responses: { 200: { description: 'The query is valid' } },
    failures: { 400: 'Invalid limit or cursor' },
    handler: async () => ({ status: 200 }),
  })
}

export const getAccounts = defineOperation({
  ...listFacts('accounts', 'account'),
  description: 'Owners of published entities, ascending. Page with `cursor.next_after`.',
  request: { query: accountsQuery },
  responses: { 200: { description: 'A page of accounts', schema: accountListResponse } },
  handler: async (ctx, { query: { limit, after } }) => {
    const page = await listAccounts(ctx, { limit, after })
    const bare = (key: string) => bareAddress(key as Address)
    return {
      body: {
        limit,
        total_accounts: page.total,
        cursor: cursorWire(page, bare),
        accounts: page.keys.map(bare),
      },
    }
  },
})

export const headAccounts = headOfList('accounts', 'account', accountsQuery)

export const getFormats = defineOperation({
  ...listFacts('formats', 'format'),
  description: 'Formats of published connectors, ascending. Page with `cursor.next_after`.',
  request: { query: formatsQuery },
  responses: { 200: { description: 'A page of formats', schema: formatListResponse } },
  handler: async (ctx, { query: { limit, after } }) => {
    const page = await listFormats(ctx, { limit, after })
    const bare = (key: string) => bareHash(key as Hash)
    return {
      body: {
        limit,
        total_formats: page.total,
        cursor: cursorWire(page, bare),
        formats: page.keys.map(bare),
      },
    }
  },
})

export const headFormats = headOfList('formats', 'format', formatsQuery)

export const getAccountInfo = defineOperation({
  ...shared,
  id: 'GET_accountInfo',
  path: '/account/{address}',
  tag: 'account',
  summary: 'List the entities of an account',
  description:
    'Names of drafts and published entities alike, ascending, in three lists that page on their own. An ' +
    'unknown account owns nothing.',
  tool: { name: 'read_account', effect: 'reads' },
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

export const getFormatInfo = defineOperation({
  ...shared,
  id: 'GET_format',
  path: '/format/{hash}',
  tag: 'format',
  summary: 'List the connectors of a format',
  description:
    'Published connectors that share a format, ascending, with the labels of its scalars. An unpublished ' +
    'format has no connectors.',
  tool: { name: 'read_format', effect: 'reads' },
  request: {
    params: z.object({ hash: hashInput }),
    query: z.object({ limit: limitQuery, after: nameCursor.optional() }),
  },
  responses: { 200: { description: 'A page of connectors', schema: formatInfoResponse } },
  failures: { 400: 'Invalid hash, limit or cursor' },
  cache: 'no-cache',
  handler: async (ctx, { params: { hash }, query: { limit, after } }) => {
    const page = await getFormat(ctx, { formatHash: hash, limit, after: after ?? '' })
    return {
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
