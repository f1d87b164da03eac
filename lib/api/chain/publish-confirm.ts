import { z } from 'zod'
import { defineOperation } from '../../http/operation.ts'
import { confirm } from '../../publication/confirm.ts'
import { requirePublication } from '../../publication/require-publication.ts'
import { confirmRequest, confirmResponse, entityKindInput } from './schemas.ts'

export const postPublishConfirm = defineOperation({
  id: 'POST_publishConfirm',
  api: 'chain',
  method: 'POST',
  path: '/publish/{kind}',
  tag: 'publish',
  summary: 'Confirm a publication',
  description:
    'Looks up what became of the transaction, relayed or sent by a browser wallet. 202 with `status` `pending` means ' +
    'not mined yet: repeat the request. Reads follow the events of the registry, not this answer.',
  auth: 'chain',
  limit: 'publish',
  request: {
    params: z.object({ kind: entityKindInput }),
    body: confirmRequest,
    invalidParams: 'not_found',
  },
  responses: { 201: { description: 'The publication is mined', schema: confirmResponse } },
  failures: {
    202: 'Not mined yet: `status` is `pending`',
    400: 'Invalid request, or the transaction reverted or registered something else',
    403: 'Publication is disabled',
    404: 'Unknown kind',
    409: 'The registry holds something else under the name',
    503: 'The chain or the storage is unavailable',
  },
  errors: 'publication',
  precheck: requirePublication,
  handler: async (ctx, { params: { kind }, body }) => {
    const mined = await confirm(ctx, {
      kind,
      name: body.name,
      contentHash: body.content_hash,
      txHash: body.tx_hash,
    })
    return {
      status: 201,
      body: {
        status: 'mined' as const,
        kind,
        name: body.name,
        tx_hash: mined.txHash,
        block_number: mined.blockNumber,
        address: mined.address,
        owner: mined.owner,
        content_hash: mined.contentHash,
      },
    }
  },
})
