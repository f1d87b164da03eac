import { z } from 'zod'
import { subscribe, unsubscribe } from '../../../people/mail/subscription.ts'
import { seeNotices, setFeedKey } from '../../../people/social/notices.ts'
import { defineOperation } from '../../http/operation.ts'

const feedAddressesRequest = z.strictObject({ on: z.boolean() })
export type FeedAddressesRequest = z.input<typeof feedAddressesRequest>

/** Null removes it. */
const emailRequest = z.strictObject({ address: z.string().max(254).nullable() })
export type EmailRequest = z.input<typeof emailRequest>

const shared = { api: 'studio', tag: 'notices', cors: 'session', auth: 'session', limit: 'write' } as const
const NOT_OURS = 'The request does not come from a page of this site'

export const postSeenNotices = defineOperation({
  ...shared,
  id: 'POST_seenNotices',
  path: '/notices/seen',
  summary: 'Mark the notices of the signed-in account as seen',
  description: 'All that exist now.',
  request: {},
  responses: { 204: { description: 'Seen' } },
  failures: { 403: NOT_OURS },
  handler: (ctx) => seeNotices(ctx),
})

export const postFeedAddresses = defineOperation({
  ...shared,
  id: 'POST_feedAddresses',
  path: '/notices/feeds',
  summary: 'Give the Atom feeds of the signed-in account new addresses, or none',
  description: 'The old addresses end.',
  request: { body: feedAddressesRequest },
  responses: { 204: { description: 'Done' } },
  failures: { 400: 'Bad request', 403: NOT_OURS },
  handler: (ctx, { body }) => setFeedKey(ctx, body),
})

export const postEmail = defineOperation({
  ...shared,
  id: 'POST_email',
  path: '/notices/email',
  summary: 'Set or remove the e-mail address of the signed-in account',
  description: 'A new address receives a link that confirms it, and nothing else before that.',
  request: { body: emailRequest },
  responses: { 204: { description: 'Done' } },
  failures: {
    400: 'No e-mail address',
    403: NOT_OURS,
    404: 'The operator sends no e-mail',
    429: 'Too many confirmations today',
  },
  handler: (ctx, { body: { address } }) =>
    address === null ? unsubscribe(ctx) : subscribe(ctx, { address }),
})
