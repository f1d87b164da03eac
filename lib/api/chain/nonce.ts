import { z } from 'zod'
import { defineOperation } from '../../http/operation.ts'
import { issueNonce } from '../../identity/issue-nonce.ts'
import { addressInput, nonceResponse } from './schemas.ts'

export const getNonce = defineOperation({
  id: 'GET_nonce',
  api: 'chain',
  method: 'GET',
  path: '/nonce/{address}',
  tag: 'auth',
  summary: 'Ask for a login nonce',
  description:
    'A number to sign within ten minutes, once: sign the exact message `Login nonce: <nonce>` and post it to `/auth`. ' +
    'At most five nonces of an address are live; a sixth drops the oldest.',
  auth: 'none',
  limit: 'signIn',
  request: { params: z.object({ address: addressInput }) },
  responses: { 200: { description: 'A fresh nonce', schema: nonceResponse } },
  failures: { 400: 'Invalid address' },
  handler: async (ctx, { params }) => {
    const { nonce } = await issueNonce(ctx, { address: params.address })
    return { status: 200, body: { nonce } }
  },
})
