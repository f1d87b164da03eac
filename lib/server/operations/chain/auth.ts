import { z } from 'zod'
import { chainLogin } from '#lib/core/identity/chain-login.ts'
import { issueNonce } from '#lib/core/identity/chain-nonce.ts'
import { defineOperation } from '../../http/operation.ts'
import { addressInput, authRequest } from './request-schemas.ts'
import { authResponse, nonceResponse } from './response-schemas.ts'

export const getNonce = defineOperation({
  id: 'GET_nonce',
  api: 'chain',
  path: '/nonce/{address}',
  tag: 'auth',
  summary: 'Request a login nonce',
  description:
    'A nonce to sign, valid once and for ten minutes: sign the exact message `Login nonce: <nonce>` and post it to `/auth`. ' +
    'An address may have any number of nonces; a new one leaves the others valid.',
  auth: 'none',
  limit: 'signIn',
  tool: {
    name: 'get_nonce',
    effect: 'reads',
    description:
      'A nonce to sign, valid once and for ten minutes. An address may have any number of nonces; a new one leaves the ' +
      'others valid.',
    advice: 'The first step of signing in; the second is `log_in`.',
  },
  request: { params: z.object({ address: addressInput }) },
  responses: { 200: { description: 'A fresh nonce', schema: nonceResponse } },
  failures: { 400: 'Invalid address' },
  handler: async (ctx, { params: { address } }) => ({ body: { nonce: issueNonce(ctx, address) } }),
})

export const postAuth = defineOperation({
  id: 'POST_auth',
  api: 'chain',
  path: '/auth',
  tag: 'auth',
  summary: 'Log in with a signed nonce',
  description:
    'Exchanges a signed nonce for an access token that is valid for five minutes. The signature is EIP-191 ' +
    '(`personal_sign`): 65 bytes with `s` in its lower half and `v` of 27, 28, 0 or 1; a contract wallet is verified on ' +
    'chain (EIP-1271, or ERC-6492 before it is deployed). Every attempt consumes the nonce it names, valid or not.',
  auth: 'none',
  limit: 'signIn',
  tool: {
    name: 'log_in',
    effect: 'drafts',
    description:
      'Exchanges a signed nonce for an access token that is valid for five minutes. The signature is EIP-191 ' +
      '(`personal_sign`) of exactly `Login nonce: <nonce>`. Every attempt consumes its nonce, valid or not.',
    advice:
      'Sign with the key of the account, outside of this conversation where that is possible: no tool here ever needs ' +
      'a private key.',
  },
  request: { body: authRequest },
  responses: {
    200: {
      description: 'The access token',
      schema: authResponse,
      headers: { Authorization: '`Bearer <access_token>`' },
    },
  },
  failures: { 400: 'Invalid address, nonce, message or signature' },
  handler: async (ctx, { body }) => {
    const { accessToken } = await chainLogin(ctx, body)
    return {
      body: { access_token: accessToken },
      headers: { Authorization: `Bearer ${accessToken}` },
    }
  },
})
