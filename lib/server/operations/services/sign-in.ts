import { z } from 'zod'
import { issueChallenge } from '#lib/core/identity/issue-challenge.ts'
import { signIn } from '#lib/core/identity/sign-in.ts'
import { defineOperation } from '../../http/operation.ts'
import { challengeRequest, challengeResponse, sessionToken, verifyRequest } from './people-schemas.ts'

export const postChallenge = defineOperation({
  id: 'POST_authSiweChallenge',
  api: 'services',
  path: '/auth/siwe/challenge',
  tag: 'auth',
  summary: 'Request a message to sign',
  description:
    'An EIP-4361 message for the wallet, good for one sign-in within five minutes. Its domain and URI are the `Origin` ' +
    'of the request, or `app_origin` where a client sends none; the origin must be one this server allows. At most five ' +
    'challenges per client and address are active at a time; requests of other clients do not count.',
  auth: 'none',
  limit: 'signIn',
  cors: 'session',
  request: {
    body: challengeRequest,
    headers: z.object({
      origin: z.string().optional().meta({
        description: 'Scheme and host of the page.',
        example: 'https://weft.example',
      }),
    }),
  },
  responses: { 200: { description: 'The challenge', schema: challengeResponse } },
  failures: {
    400: 'Invalid address, chain that is not allowed, or invalid origin',
    403: 'Origin not allowed',
    429: 'Too many active challenges of this client for the address',
  },
  handler: async (ctx, { body, headers }) => {
    const { message, expiresAt } = await issueChallenge(ctx, {
      address: body.address,
      chainId: body.chain_id,
      originHeader: headers.origin,
      appOrigin: body.app_origin,
    })
    return { body: { message, expires_at: expiresAt.toISOString() } }
  },
})

export const postVerify = defineOperation({
  id: 'POST_authSiweVerify',
  api: 'services',
  path: '/auth/siwe/verify',
  tag: 'auth',
  summary: 'Sign in with a signed challenge',
  description:
    'Exchanges the signed message for a session token, valid 24 hours or until logout. The signature is EIP-191 ' +
    '(`personal_sign`): 65 bytes with `s` in its lower half; a contract wallet is verified on the chain of this ' +
    'server (EIP-1271, or ERC-6492 before it is deployed). A success consumes the challenge, a wrong signature does not. The first sign-in creates the user.',
  auth: 'none',
  limit: 'signIn',
  cors: 'session',
  request: { body: verifyRequest },
  responses: { 200: { description: 'The session token, as a JSON string', schema: sessionToken } },
  failures: {
    400: 'Malformed message or signature',
    401: 'Unknown, used or expired challenge, or signature mismatch; or the user is suspended',
  },
  handler: async (ctx, { body }) => ({ body: (await signIn(ctx, body)).token }),
})
