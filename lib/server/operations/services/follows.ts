import type { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { follow, listFollowers, listFollowing, MAX_FOLLOWED, unfollow } from '#lib/core/people/follows.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import { defineOperation } from '../../http/operation.ts'
import { addressList, followRequest, pageQuery } from './people-schemas.ts'

const query = pageQuery({ most: MAX_FOLLOWED, otherwise: MAX_FOLLOWED })

export const getFollowing = defineOperation({
  id: 'GET_socialFollowing',
  path: '/social/following',
  summary: 'List followed users',
  description: `Addresses in ascending order. Without \`limit\`, the first ${MAX_FOLLOWED}, which is all of them.`,
  ...listedBy(listFollowing),
})

export const getFollowers = defineOperation({
  id: 'GET_socialFollowers',
  path: '/social/followers',
  summary: 'List followers',
  description: `Addresses in ascending order. Without \`limit\`, the first ${MAX_FOLLOWED}; \`page\` has the others.`,
  ...listedBy(listFollowers),
})

/** Common facts of the lists of the caller's follows. */
function listedBy(list: typeof listFollowing) {
  return {
    api: 'services',
    tag: 'social',
    auth: 'session',
    request: { query },
    responses: { 200: { description: 'Addresses', schema: addressList } },
    handler: async (ctx: Context, input: { readonly query: z.output<typeof query> }) => {
      const { address } = requireSession(ctx)
      return { body: (await list(ctx, { address, ...input.query })).map(checksumAddress) }
    },
  } as const
}

export const postFollow = defineOperation({
  id: 'POST_socialFollow',
  api: 'services',
  path: '/social/follow',
  tag: 'social',
  summary: 'Follow a user',
  description: `Idempotent. At most ${MAX_FOLLOWED} users.`,
  auth: 'session',
  limit: 'write',
  request: { body: followRequest },
  responses: { 204: { description: 'Followed' } },
  failures: { 400: 'Empty id or your own address', 404: 'No such user', 429: `You follow ${MAX_FOLLOWED}` },
  handler: (ctx, { body }) => follow(ctx, { followedId: body.followed_id }),
})

export const postUnfollow = defineOperation({
  id: 'POST_socialUnfollow',
  api: 'services',
  path: '/social/unfollow',
  tag: 'social',
  summary: 'Unfollow a user',
  description: 'Idempotent.',
  auth: 'session',
  limit: 'write',
  request: { body: followRequest },
  responses: { 204: { description: 'Not followed' } },
  failures: { 400: 'Empty id or your own address', 404: 'No such user' },
  handler: (ctx, { body }) => unfollow(ctx, { followedId: body.followed_id }),
})
