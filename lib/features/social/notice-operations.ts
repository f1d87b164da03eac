import { z } from 'zod'
import { subscribe, unsubscribe } from '#lib/core/people/mail/subscription.ts'
import { seeNotices, setFeedKey } from '#lib/core/people/notices.ts'
import { studioOperation } from '#lib/server/operations/studio/studio-operation.ts'

const feedAddressesRequest = z.strictObject({ on: z.boolean() })
export type FeedAddressesRequest = z.input<typeof feedAddressesRequest>

/** Null removes it. */
const emailRequest = z.strictObject({ address: z.string().max(254).nullable() })
export type EmailRequest = z.input<typeof emailRequest>

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

export const postEmail = studioOperation({
  limit: 'write',
  id: 'POST_email',
  path: '/notices/email',
  summary: 'Set or remove the e-mail address of the signed-in account',
  description: 'A new address receives a link that confirms it, and nothing else before that.',
  request: { body: emailRequest },
  failures: {
    400: 'No e-mail address',
    404: 'The operator sends no e-mail',
    429: 'Too many confirmations today',
  },
  handler: (ctx, { body: { address } }) =>
    address === null ? unsubscribe(ctx) : subscribe(ctx, { address }),
})
