import { defineOperation } from '../../http/operation.ts'
import { requireSession } from '../../identity/require-session.ts'
import { signOut } from '../../identity/sign-out.ts'
import { getUser } from '../../social/get-user.ts'
import { userPublic } from './people-schemas.ts'
import { toWire } from './user-wire.ts'

export const getMe = defineOperation({
  id: 'GET_authMe',
  api: 'services',
  method: 'GET',
  path: '/auth/me',
  tag: 'auth',
  summary: 'Read the signed-in user',
  description: 'The user that the session token belongs to.',
  auth: 'session',
  request: {},
  responses: { 200: { description: 'The user', schema: userPublic } },
  handler: async (ctx) => ({ status: 200, body: toWire(await getUser(ctx, requireSession(ctx))) }),
})

export const postLogout = defineOperation({
  id: 'POST_authLogout',
  api: 'services',
  method: 'POST',
  path: '/auth/logout',
  tag: 'auth',
  summary: 'End the session',
  description: 'The token is worthless from then on. Other sessions of the same user stay.',
  auth: 'session',
  request: {},
  responses: { 204: { description: 'Signed out' } },
  handler: async (ctx) => {
    await signOut(ctx)
    return { status: 204 }
  },
})
