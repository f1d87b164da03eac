import { z } from 'zod'
import { defineOperation } from '../../http/operation.ts'
import { issueNonce } from '../../identity/chain-nonce.ts'
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
    'An address may have any number of them; asking for one leaves the others valid.',
  auth: 'none',
  limit: 'signIn',
  request: { params: z.object({ address: addressInput }) },
  responses: { 200: { description: 'A fresh nonce', schema: nonceResponse } },
  failures: { 400: 'Invalid address' },
  handler: async (ctx, { params }) => ({ status: 200, body: { nonce: issueNonce(ctx, params.address) } }),
})
