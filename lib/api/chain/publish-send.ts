import { z } from 'zod'
import { defineOperation } from '../../http/operation.ts'
import { requirePublication } from '../../publication/require-publication.ts'
import { send } from '../../publication/send.ts'
import { entityKindInput, sendRequest, sendResponse } from './schemas.ts'

export const postPublishSend = defineOperation({
  id: 'POST_publishSend',
  api: 'chain',
  method: 'POST',
  path: '/publish/{kind}/send',
  tag: 'publish',
  summary: 'Relay a signed publication',
  description:
    'Broadcasts `transaction` merged with `signing` of a relay prepare, signed by the caller. It must be exactly the ' +
    'prepared publication and succeed in a dry run. A transaction that the chain already knows gives the same answer.',
  auth: 'chain',
  limit: 'publish',
  request: {
    params: z.object({ kind: entityKindInput }),
    body: sendRequest,
    invalidParams: 'not_found',
  },
  responses: { 202: { description: 'The transaction is with the chain', schema: sendResponse } },
  failures: {
    400: 'Invalid request or transaction, a transaction other than this publication, a dry-run revert, too little gas, insufficient funds',
    403: 'Publication is disabled, or another account signed',
    404: 'Unknown kind',
    409: 'The account nonce is already used, or another transaction with it is pending: prepare again',
    503: 'The chain or the storage is unavailable',
  },
  errors: 'publication',
  precheck: requirePublication,
  handler: async (ctx, { params: { kind }, body }) => {
    const txHash = await send(ctx, {
      kind,
      name: body.name,
      contentHash: body.content_hash,
      rawTx: body.raw_tx,
    })
    return { status: 202, body: { status: 'pending' as const, tx_hash: txHash } }
  },
})
