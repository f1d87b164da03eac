import { z } from 'zod'
import { checksumAddress } from '../../domain/address.ts'
import { defineOperation } from '../../http/operation.ts'
import { type Prepared, prepare } from '../../publication/prepare.ts'
import { requirePublication } from '../../publication/require-publication.ts'
import { entityKindInput, prepareRequest, prepareResponse } from './schemas.ts'

export const postPublishPrepare = defineOperation({
  id: 'POST_publishPrepare',
  api: 'chain',
  method: 'POST',
  path: '/publish/{kind}/prepare',
  tag: 'publish',
  summary: 'Prepare a publication',
  description:
    "Checks that the caller's draft can be published now and returns the transaction to sign. With `relay` it also " +
    'returns nonce and fees, for `send`; without, a browser wallet chooses its own. Asking again gives the same ' +
    'answer while nothing changed. Dependencies are not published along: they must be registered first.',
  auth: 'chain',
  limit: 'publish',
  request: {
    params: z.object({ kind: entityKindInput }),
    body: prepareRequest,
    invalidParams: 'not_found',
  },
  responses: {
    200: { description: 'What to sign, or where the entity is published already', schema: prepareResponse },
  },
  failures: {
    400: 'Invalid request, the entity cannot be rebuilt, or the transaction would revert',
    403: 'Publication is disabled, or the caller does not own the entity',
    404: 'Unknown kind, or no local definition',
    409: 'The registry holds different content under the name, or dependencies are `missing` or `mismatched`',
    503: 'The chain or the storage is unavailable',
  },
  errors: 'publication',
  precheck: requirePublication,
  handler: async (ctx, { params: { kind }, body: { name, relay } }) => {
    const result = await prepare(ctx, { kind, name, relay })
    if (result.status === 'published') {
      const { address, owner, contentHash } = result.entry
      return {
        status: 200,
        body: { status: 'published' as const, kind, name, address, owner, content_hash: contentHash },
      }
    }
    return {
      status: 200,
      body: {
        status: 'prepared' as const,
        kind,
        name,
        transaction: transactionWire(result),
        address: result.address,
        content_hash: result.contentHash,
        publication_nonce: result.publicationNonce,
        deadline: result.deadline,
        ...(result.signing && { signing: signingWire(result.signing) }),
      },
    }
  },
})

function transactionWire({ from, to, data, chainId, gas }: Prepared) {
  // Some signers refuse a receiver without its checksum.
  return { from, to: checksumAddress(to), data, chainId: quantity(chainId), gas: quantity(gas) }
}

function signingWire({ nonce, maxFeePerGas, maxPriorityFeePerGas }: NonNullable<Prepared['signing']>) {
  return {
    type: '0x2' as const,
    nonce: quantity(nonce),
    maxFeePerGas: quantity(maxFeePerGas),
    maxPriorityFeePerGas: quantity(maxPriorityFeePerGas),
    value: '0x0' as const,
  }
}

/** Ethereum's spelling of a number: lower-case hex without padding. */
function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`
}
