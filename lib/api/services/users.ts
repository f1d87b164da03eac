import { z } from 'zod'
import { checksumAddress } from '../../domain/address.ts'
import { defineOperation } from '../../http/operation.ts'
import { deleteUser } from '../../social/delete-user.ts'
import { getUser as findUser } from '../../social/get-user.ts'
import { listUsers } from '../../social/list-users.ts'
import { updateProfile } from '../../social/update-profile.ts'
import {
  accountInput,
  addressList,
  anyAccountInput,
  pageQuery,
  profileRequest,
  userPublic,
} from './people-schemas.ts'
import { toWire } from './user-wire.ts'

export const getUsers = defineOperation({
  id: 'GET_users',
  api: 'services',
  method: 'GET',
  path: '/users',
  tag: 'users',
  summary: 'List users',
  description:
    'Addresses of active users in ascending order. `page` and `limit` out of range are brought into it; a page beyond ' +
    'the end is empty.',
  auth: 'none',
  request: { query: pageQuery({ most: 200, otherwise: 50 }) },
  responses: { 200: { description: 'Addresses', schema: addressList } },
  cache: 'no-cache',
  handler: async (ctx, { query }) => ({
    status: 200,
    body: (await listUsers(ctx, query)).map(checksumAddress),
  }),
})

export const getUser = defineOperation({
  id: 'GET_user',
  api: 'services',
  method: 'GET',
  path: '/users/{address}',
  tag: 'users',
  summary: 'Read a user',
  description: 'Anybody who signed in at least once. A deleted user is not found until the next sign-in.',
  auth: 'none',
  request: { params: z.object({ address: accountInput }) },
  responses: { 200: { description: 'The user', schema: userPublic } },
  failures: { 400: 'Invalid address', 404: 'No such user' },
  cache: 'no-cache',
  handler: async (ctx, { params }) => ({ status: 200, body: toWire(await findUser(ctx, params)) }),
})

export const patchUser = defineOperation({
  id: 'PATCH_user',
  api: 'services',
  method: 'PATCH',
  path: '/users/{address}',
  tag: 'users',
  summary: 'Change your profile',
  description:
    'What is left out stays as it is. `display_name` null clears it; `profile_json` replaces the whole profile.',
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
    return { status: 200, body: toWire(user) }
  },
})

export const deleteUserAccount = defineOperation({
  id: 'DELETE_user',
  api: 'services',
  method: 'DELETE',
  path: '/users/{address}',
  tag: 'users',
  summary: 'Delete your account',
  description:
    'Clears the profile and all follows and ends every session at once. Worlds stay under the address. The next ' +
    'sign-in begins afresh.',
  auth: 'session',
  limit: 'write',
  request: { params: z.object({ address: anyAccountInput }) },
  responses: { 204: { description: 'Deleted' } },
  failures: { 403: 'Not your account' },
  handler: async (ctx, { params }) => {
    await deleteUser(ctx, params)
    return { status: 204 }
  },
})
