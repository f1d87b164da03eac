import { defineOperation } from '../../http/operation.ts'
import { chainLogin } from '../../identity/chain-login.ts'
import { authRequest, authResponse } from './schemas.ts'

export const postAuth = defineOperation({
  id: 'POST_auth',
  api: 'chain',
  method: 'POST',
  path: '/auth',
  tag: 'auth',
  summary: 'Log in with a signed nonce',
  description:
    'Trades a signed nonce for an access token that is valid for five minutes. The signature is EIP-191 ' +
    '(`personal_sign`): 65 bytes with `s` in its lower half and `v` of 27, 28, 0 or 1; a contract wallet is asked on ' +
    'chain (EIP-1271). An attempt uses up the nonce it names, right or wrong.',
  auth: 'none',
  limit: 'signIn',
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
      status: 200,
      body: { access_token: accessToken },
      headers: { Authorization: `Bearer ${accessToken}` },
    }
  },
})
