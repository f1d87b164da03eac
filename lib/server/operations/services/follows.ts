import { requireSession } from '../../../people/identity/authorise.ts'
import {
  follow,
  listFollowers,
  listFollowing,
  MAX_FOLLOWED,
  unfollow,
} from '../../../people/social/follows.ts'
import { checksumAddress } from '../../../protocol/address.ts'
import { defineOperation } from '../../http/operation.ts'
import { addressList, followRequest, pageQuery } from './people-schemas.ts'

const query = pageQuery({ most: MAX_FOLLOWED, otherwise: MAX_FOLLOWED })

export const getFollowing = defineOperation({
  id: 'GET_socialFollowing',
  api: 'services',
  path: '/social/following',
  tag: 'social',
  summary: 'List followed users',
  description: `Addresses in ascending order. Without \`limit\`, the first ${MAX_FOLLOWED}, which is all of them.`,
  auth: 'session',
  request: { query },
  responses: { 200: { description: 'Addresses', schema: addressList } },
  handler: async (ctx, input) => {
    const { address } = requireSession(ctx)
    const following = await listFollowing(ctx, { address, ...input.query })
    return { body: following.map(checksumAddress) }
  },
})

export const getFollowers = defineOperation({
  id: 'GET_socialFollowers',
  api: 'services',
  path: '/social/followers',
  tag: 'social',
  summary: 'List followers',
  description: `Addresses in ascending order. Without \`limit\`, the first ${MAX_FOLLOWED}; \`page\` has the others.`,
  auth: 'session',
  request: { query },
  responses: { 200: { description: 'Addresses', schema: addressList } },
  handler: async (ctx, input) => {
    const { address } = requireSession(ctx)
    const followers = await listFollowers(ctx, { address, ...input.query })
    return { body: followers.map(checksumAddress) }
  },
})

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
