import { z } from 'zod'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { signOut } from '#lib/core/identity/sessions.ts'
import { deleteUser } from '#lib/core/people/account-status.ts'
import { updateProfile } from '#lib/core/people/update-profile.ts'
import { getUser as findUser, listUsers, type User } from '#lib/core/people/users.ts'
import { features } from '#lib/features/index.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import { defineOperation } from '../../http/operation.ts'
import {
  accountInput,
  addressList,
  anyAccountInput,
  pageQuery,
  profileRequest,
  userPublic,
} from './people-schemas.ts'

export const getMe = defineOperation({
  id: 'GET_authMe',
  api: 'services',
  path: '/auth/me',
  tag: 'auth',
  summary: 'Read the signed-in user',
  description: 'The user that the session token belongs to.',
  auth: 'session',
  request: {},
  responses: { 200: { description: 'The user', schema: userPublic } },
  handler: async (ctx) => ({ body: toWire(await findUser(ctx, requireSession(ctx))) }),
})

export const postLogout = defineOperation({
  id: 'POST_authLogout',
  api: 'services',
  path: '/auth/logout',
  tag: 'auth',
  summary: 'End the session',
  description: 'The token is revoked. Other sessions of the same user stay valid.',
  auth: 'session',
  request: {},
  responses: { 204: { description: 'Signed out' } },
  handler: (ctx) => signOut(ctx),
})

export const getUsers = defineOperation({
  id: 'GET_users',
  api: 'services',
  path: '/users',
  tag: 'users',
  summary: 'List users',
  description:
    'Addresses of active users in ascending order. `page` and `limit` out of range are clamped; a page beyond ' +
    'the end is empty.',
  auth: 'none',
  request: { query: pageQuery({ most: 200, otherwise: 50 }) },
  responses: { 200: { description: 'Addresses', schema: addressList } },
  cache: 'no-cache',
  handler: async (ctx, { query }) => ({
    body: (await listUsers(ctx, query)).map(checksumAddress),
  }),
})

export const getUser = defineOperation({
  id: 'GET_user',
  api: 'services',
  path: '/users/{address}',
  tag: 'users',
  summary: 'Read a user',
  description: 'A user with at least one sign-in. A deleted user is not found until the next sign-in.',
  auth: 'none',
  request: { params: z.object({ address: accountInput }) },
  responses: { 200: { description: 'The user', schema: userPublic } },
  failures: { 400: 'Invalid address', 404: 'No such user' },
  cache: 'no-cache',
  handler: async (ctx, { params }) => ({ body: toWire(await findUser(ctx, params)) }),
})

export const patchUser = defineOperation({
  id: 'PATCH_user',
  api: 'services',
  path: '/users/{address}',
  tag: 'users',
  summary: 'Change your profile',
  description:
    'Omitted fields are unchanged. `display_name` null clears it; `profile_json` replaces the whole profile.',
  auth: 'session',
  limit: 'write',
  request: { params: z.object({ address: accountInput }), body: profileRequest },
  responses: { 200: { description: 'The changed user', schema: userPublic } },
  failures: { 400: 'Invalid address or profile', 403: 'Not your profile' },
  handler: async (ctx, { params, body }) => {
    const user = await updateProfile(ctx, {
      address: params.address,
      displayName: body.display_name,
      profile: body.profile_json,
    })
    return { body: toWire(user) }
  },
})

export const deleteUserAccount = defineOperation({
  id: 'DELETE_user',
  api: 'services',
  path: '/users/{address}',
  tag: 'users',
  summary: 'Delete your account',
  description:
    'Clears the profile and all follows, and ends every session at once. Worlds stay under the address. The next ' +
    'sign-in starts with an empty profile.',
  auth: 'session',
  limit: 'write',
  request: { params: z.object({ address: anyAccountInput }) },
  responses: { 204: { description: 'Deleted' } },
  failures: { 403: 'Not your account' },
  handler: (ctx, { params }) =>
    deleteUser(ctx, {
      ...params,
      more: features.flatMap(({ deleteRows }) => (deleteRows === undefined ? [] : [deleteRows])),
    }),
})

/** A user as the services API writes it. */
function toWire(user: User): z.input<typeof userPublic> {
  return {
    id: checksumAddress(user.address),
    display_name: user.displayName,
    status: user.status,
    roles: [...user.roles],
    profile_json: user.profile,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
  }
}
