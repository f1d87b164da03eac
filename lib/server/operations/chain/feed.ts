import { z } from 'zod'
import { listFeedItems, parsePageCursor } from '#lib/core/feed/list-items.ts'
import { limitQuery, parsedText } from '../../http/inputs.ts'
import { defineOperation } from '../../http/operation.ts'
import { feedFilterQuery } from './request-schemas.ts'
import { feedEventType, feedPage } from './response-schemas.ts'
import { feedItemWire } from './wire.ts'

const feedCursor = parsedText(
  (text) => parsePageCursor(text.trim()),
  'a cursor, as cursor.next_before returned it',
).meta({
  description:
    '`cursor.next_before` of the page before; the `history_cursor` of an item works too. Exclusive.',
  override: { type: 'string', minLength: 1, maxLength: 250 },
  example: '000000000000042-00000000-00000000',
})

// Spelled out: a parameter that refers to a shared schema is drawn as a composition of one, which linters refuse.
const type = z
  .enum(feedEventType.options)
  .meta({ description: 'Only items of this kind.', example: 'connector_added' })

const includeUnfinalized = z.enum(['0', '1'], 'expected 0 or 1').meta({
  description: '`0` lists finalized items only; without it, all.',
  override: { type: 'integer', enum: [0, 1] },
  example: 1,
})

export const getFeed = defineOperation({
  id: 'GET_feed',
  api: 'chain',
  path: '/feed',
  tag: 'feed',
  summary: 'List publications',
  description: [
    'What was published, newest first. Page with `cursor.next_before`: every item that stays is met exactly once,',
    'whatever is published or reorganised in the meantime. Read the entities themselves for their details. `kind`,',
    '`owner`, `format` and `name` select items; all that are given must fit.',
  ].join(' '),
  tool: { name: 'list_feed', effect: 'reads' },
  auth: 'none',
  request: {
    query: z.object({
      limit: limitQuery,
      before: feedCursor.optional(),
      type: type.optional(),
      include_unfinalized: includeUnfinalized.optional(),
      ...feedFilterQuery,
    }),
  },
  responses: { 200: { description: 'A page of the feed', schema: feedPage } },
  failures: { 400: 'Invalid limit, cursor, type, include_unfinalized or filter' },
  cache: 'no-cache',
  handler: async (ctx, { query }) => {
    const { items, nextBefore } = await listFeedItems(ctx, {
      ...query,
      status: query.include_unfinalized === '0' ? 'finalized' : undefined,
    })
    return {
      body: {
        limit: query.limit,
        cursor: { has_more: nextBefore !== null, next_before: nextBefore },
        items: items.map(feedItemWire),
      },
    }
  },
})
