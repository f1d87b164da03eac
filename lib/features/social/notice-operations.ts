import { z } from 'zod'
import { seeNotices, setFeedKey } from '#lib/core/people/notices.ts'
import { studioOperation } from '#lib/server/operations/studio/studio-operation.ts'

const feedAddressesRequest = z.strictObject({ on: z.boolean() })
export type FeedAddressesRequest = z.input<typeof feedAddressesRequest>

export const postSeenNotices = studioOperation({
  limit: 'write',
  id: 'POST_seenNotices',
  path: '/notices/seen',
  summary: 'Mark the notices of the signed-in account as seen',
  description: 'All that exist now.',
  handler: (ctx) => seeNotices(ctx),
})

export const postFeedAddresses = studioOperation({
  limit: 'write',
  id: 'POST_feedAddresses',
  path: '/notices/feeds',
  summary: 'Give the Atom feeds of the signed-in account new addresses, or none',
  description: 'The old addresses end.',
  request: { body: feedAddressesRequest },
  failures: { 400: 'Bad request' },
  handler: (ctx, { body }) => setFeedKey(ctx, body),
})
