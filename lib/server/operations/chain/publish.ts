import { z } from 'zod'
import { confirm } from '#lib/core/entities/publication/confirm.ts'
import { requirePublication } from '#lib/core/entities/publication/preconditions.ts'
import {
  type AlreadyPublished,
  type PreparedPublication,
  prepare,
} from '#lib/core/entities/publication/prepare.ts'
import { send } from '#lib/core/entities/publication/send.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { defineOperation } from '../../http/operation.ts'
import { confirmRequest, entityKindInput, prepareRequest, sendRequest } from './request-schemas.ts'
import { confirmResponse, prepareResponse, sendResponse } from './response-schemas.ts'

/* The three steps of a publication. */

const shared = {
  api: 'chain',
  tag: 'publish',
  auth: 'chain',
  limit: 'publish',
  errors: 'publication',
  storageErrors: 'all',
  precheck: requirePublication,
} as const

const forKind = { params: z.object({ kind: entityKindInput }), invalidParams: 'not_found' } as const

export const postPublishPrepare = defineOperation({
  ...shared,
  id: 'POST_publishPrepare',
  path: '/publish/{kind}/prepare',
  summary: 'Prepare a publication',
  description:
    "Checks that the caller's draft can be published now and returns the transaction to sign. With `relay` it also " +
    'returns nonce and fees, for `send`; without, a browser wallet chooses its own. A repeated request returns the same ' +
    'response while nothing has changed. Dependencies are not published along: they must be registered first.',
  tool: {
    name: 'prepare_publication',
    effect: 'drafts',
    advice:
      'Set `relay` to have nonce and fees filled in, sign `transaction` merged with `signing` as a type-2 transaction, ' +
      'and go on with `send_publication`. Names and transactions are permanent: get confirmation from your user first.',
  },
  request: { ...forKind, body: prepareRequest },
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
  handler: async (ctx, { params: { kind }, body: { name, relay } }) => {
    return { body: prepareWire(kind, name, await prepare(ctx, { kind, name, relay })) }
  },
})

/** Data that a client signs, or the place where the entity is published already. */
export function prepareWire(kind: EntityKind, name: string, result: PreparedPublication | AlreadyPublished) {
  if (result.status === 'published') {
    const { address, owner, contentHash } = result.entry
    return { status: 'published' as const, kind, name, address, owner, content_hash: contentHash }
  }
  return {
    status: 'prepared' as const,
    kind,
    name,
    transaction: transactionWire(result),
    address: result.address,
    content_hash: result.contentHash,
    publication_nonce: result.publicationNonce,
    deadline: result.deadline,
    ...(result.signing && { signing: signingWire(result.signing) }),
  }
}

export const postPublishSend = defineOperation({
  ...shared,
  id: 'POST_publishSend',
  path: '/publish/{kind}/send',
  summary: 'Relay a signed publication',
  description:
    'Broadcasts `transaction` merged with `signing` of a relay prepare, signed by the caller. It must be exactly the ' +
    'prepared publication and succeed in a dry run. A transaction that the chain already knows returns the same response.',
  tool: { name: 'send_publication', effect: 'publishes' },
  request: { ...forKind, body: sendRequest },
  responses: { 202: { description: 'The transaction is with the chain', schema: sendResponse } },
  failures: {
    400: 'Invalid request or transaction, a transaction other than this publication, a dry-run revert, too little gas, insufficient funds',
    403: 'Publication is disabled, or another account signed',
    404: 'Unknown kind',
    409: 'The account nonce is already used, or another transaction with it is pending: prepare again',
    503: 'The chain or the storage is unavailable',
  },
  handler: async (ctx, { params: { kind }, body }) => {
    const txHash = await send(ctx, {
      kind,
      name: body.name,
      contentHash: body.content_hash,
      rawTx: body.raw_tx,
    })
    return { body: { status: 'pending' as const, tx_hash: txHash } }
  },
})

export const postPublishConfirm = defineOperation({
  ...shared,
  id: 'POST_publishConfirm',
  path: '/publish/{kind}',
  summary: 'Confirm a publication',
  description:
    'Looks up the outcome of the transaction, relayed or sent by a browser wallet. 202 with `status` `pending` means ' +
    'not mined yet: repeat the request. Reads follow the events of the registry, not this answer.',
  tool: {
    name: 'confirm_publication',
    effect: 'drafts',
    advice: 'While `status` is `pending`, wait a few seconds and repeat the request.',
  },
  request: { ...forKind, body: confirmRequest },
  responses: { 201: { description: 'The publication is mined', schema: confirmResponse } },
  failures: {
    202: 'Not mined yet: `status` is `pending`',
    400: 'Invalid request, or the transaction reverted or registered something else',
    403: 'Publication is disabled',
    404: 'Unknown kind',
    409: 'The registry holds something else under the name',
    503: 'The chain or the storage is unavailable',
  },
  handler: async (ctx, { params: { kind }, body }) => {
    const mined = await confirm(ctx, {
      kind,
      name: body.name,
      contentHash: body.content_hash,
      txHash: body.tx_hash,
    })
    return {
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

/** The transaction to sign, as wallets take it. */
export function transactionWire({
  from,
  to,
  data,
  chainId,
  gas,
}: Pick<PreparedPublication, 'from' | 'to' | 'data' | 'chainId' | 'gas'>) {
  // Some signers refuse a receiver without its checksum.
  return { from, to: checksumAddress(to), data, chainId: quantity(chainId), gas: quantity(gas) }
}

function signingWire({
  nonce,
  maxFeePerGas,
  maxPriorityFeePerGas,
}: NonNullable<PreparedPublication['signing']>) {
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
