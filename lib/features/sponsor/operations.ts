import { z } from 'zod'
import { requirePublication } from '#lib/core/entities/publication/preconditions.ts'
import { MAX_BATCH } from '#lib/protocol/payload.ts'
import { entityKindInput, entityName, hashInput } from '#lib/server/operations/chain/request-schemas.ts'
import { sharedOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { publishSponsored } from './sponsor.ts'

const sponsoredRequest = z.strictObject({
  /** As the batch that was signed has them. */
  items: z
    .array(z.strictObject({ kind: entityKindInput, name: entityName, content_hash: hashInput }))
    .min(1)
    .max(MAX_BATCH),
  signature: z.string(),
})

const sponsoredAnswer = z.strictObject({ tx_hash: z.string().regex(/^0x[0-9a-f]*$/) })

export type SponsoredAnswer = z.output<typeof sponsoredAnswer>

export const postSponsoredPublication = sharedOperation({
  id: 'POST_sponsoredPublication',
  tag: 'publication',
  path: '/sponsored-publication',
  storageErrors: 'all',
  limit: 'publish',
  precheck: requirePublication,
  summary: 'Publish a prepared batch at the expense of this site',
  description:
    "The caller's signature of the typed data of a batch decides what is published; the transaction is this site's. " +
    'Idempotent. Each publication is then confirmed by itself, by the hash of the one transaction.',
  request: { body: sponsoredRequest },
  example: {
    request: {
      items: [
        { kind: 'transformation' as const, name: 'add', content_hash: `0x${'a1'.repeat(32)}` },
        { kind: 'connector' as const, name: 'pitch', content_hash: `0x${'b2'.repeat(32)}` },
      ],
      signature: `0x${'1b'.repeat(32)}${'2c'.repeat(32)}1b`,
    },
    response: { tx_hash: `0x${'3d'.repeat(32)}` },
  },
  responses: { 202: { description: 'The transaction is on its way', schema: sponsoredAnswer } },
  failures: {
    400: 'Bad request, not prepared together, expired, not signed by the caller, or the transaction would fail',
    403: 'Publication is disabled',
    409: 'A name is taken, another publication of the caller is on its way, or this site does not pay for this one',
    503: 'The chain or the storage is unavailable',
  },
  handler: async (ctx, { body: { items, signature } }) => ({
    body: {
      tx_hash: await publishSponsored(ctx, {
        items: items.map(({ kind, name, content_hash }) => ({ kind, name, contentHash: content_hash })),
        signature,
      }),
    },
  }),
})
