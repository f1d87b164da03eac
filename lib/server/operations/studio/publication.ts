import { z } from 'zod'
import { type PlannedItem, planPublication } from '#lib/core/entities/publication/plan.ts'
import { requirePublication } from '#lib/core/entities/publication/preconditions.ts'
import { prepare } from '#lib/core/entities/publication/prepare.ts'
import { prepareBatch } from '#lib/core/entities/publication/prepare-batch.ts'
import { listPublications } from '#lib/core/entities/publication/records.ts'
import { requireCaller } from '#lib/core/identity/authorise.ts'
import { MAX_BATCH } from '#lib/protocol/payload.ts'
import { prepareWire, transactionWire } from '../chain/publish.ts'
import {
  addressInput,
  createConnectorRequest,
  entityKindInput,
  entityName,
  prepareRequest,
} from '../chain/request-schemas.ts'
import { prepareResponse } from '../chain/response-schemas.ts'
import { authorWords, encodeWords } from './author-words.ts'
import { MAX_DOCUMENT_BYTES, readSlice, slice } from './preview-schemas.ts'
import { sharedOperation, studioOperation } from './studio-operation.ts'

/*
 * Request and response bodies of the studio's publication plan. Amounts of gas and wei are decimal texts: they outgrow
 * JSON's numbers.
 */

const amount = z.string().regex(/^\d+$/)
const hex = z.string().regex(/^0x[0-9a-f]*$/)
const kind = z.enum(['connector', 'transformation', 'condition'])

export const planRequest = z.strictObject({
  ...slice,
  kind: entityKindInput,
  name: createConnectorRequest.in.shape.name,
  account: addressInput.optional(),
  /** Words of the named entity; their cost is part of the plan. */
  words: authorWords.optional(),
})

const planAnswer = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('planned'),
    chain_id: z.int(),
    /** Symbol of the currency that the fees and the balance are in. */
    currency: z.string(),
    items: z.array(
      z.strictObject({
        kind,
        name: z.string(),
        content_hash: hex,
        /** Entry of the registry under the name; null when it is free. */
        entry: z.strictObject({ address: hex, owner: hex, content_hash: hex }).nullable(),
        /** Whether the document defines it; otherwise it is what the network has under the name. */
        in_document: z.boolean(),
        /** Account with a draft of the name on this server. */
        draft_owner: hex.nullable(),
        /** Dependence of its results beside their input, with everything below it. */
        traits: z.strictObject({
          depends_on: z.enum(['input', 'block', 'surroundings']),
          reads: z.array(z.string()),
          calls: z.boolean(),
        }),
        gas: amount,
        /** Wei for its data on Ethereum, beside gas. */
        data_fee: amount,
      }),
    ),
    likely_fee_per_gas: amount,
    most_fee_per_gas: amount,
    balance: amount.nullable(),
    /** Whether this site pays; the wallet signs typed data. */
    sponsored: z.boolean(),
  }),
  z.strictObject({
    outcome: z.literal('invalid'),
    problems: z.array(z.strictObject({ kind, name: z.string(), message: z.string() })),
  }),
])

const publicationsAnswer = z.strictObject({
  publications: z.array(
    z.strictObject({
      kind,
      name: z.string(),
      content_hash: hex,
      stage: z.enum(['prepared', 'pending', 'mined', 'failed']),
      tx_hash: hex.nullable(),
      publication_nonce: z.int(),
      /** Unix seconds. */
      deadline: z.int(),
    }),
  ),
})

const batchAnswer = z.strictObject({
  /** Items that the transaction publishes: the first ones, as many as one transaction takes. */
  items: z.array(z.strictObject({ kind, name: z.string(), content_hash: hex, address: hex })),
  transaction: z.strictObject({
    from: z.string(),
    to: z.string(),
    data: hex,
    chainId: z.string(),
    gas: z.string(),
  }),
  publication_nonce: z.int(),
  /** Unix seconds. */
  deadline: z.int(),
  /** EIP-712 data for `eth_signTypedData_v4`, as JSON, where this site pays for what its owner signs; else null. */
  typed_data: z.string().nullable(),
})

const EXAMPLE_ITEMS = [
  { kind: 'transformation' as const, name: 'add', content_hash: `0x${'a1'.repeat(32)}` },
  { kind: 'connector' as const, name: 'pitch', content_hash: `0x${'b2'.repeat(32)}` },
]

export type BatchAnswer = z.output<typeof batchAnswer>
export type PlanRequest = z.input<typeof planRequest>
export type PlanAnswer = z.output<typeof planAnswer>
export type PublicationsAnswer = z.output<typeof publicationsAnswer>

export const postPublicationPlan = studioOperation({
  id: 'POST_publicationPlan',
  path: '/publication-plan',
  auth: 'none',
  limit: 'publish',
  summary: 'Plan the publication of an entity of an unsaved document',
  description:
    'All required publications in order, compared with the registry, with their cost. Nothing is stored.',
  request: { body: planRequest, maxBodyBytes: MAX_DOCUMENT_BYTES },
  responses: { 200: { description: 'The plan, or the problems of the document', schema: planAnswer } },
  failures: {
    400: 'Bad request, the words break a rule of their format, or the document is too large',
    403: 'The request does not come from a page of this site, or publication is disabled',
    503: 'The chain is unavailable, too many previews are running, or something published cannot be rebuilt yet',
  },
  handler: async (ctx, { body }) => {
    const { kind, name, account, words } = body
    const planned = await planPublication(ctx, {
      slice: readSlice(body),
      kind,
      name,
      account,
      ...(words && { metadata: new Map([[`${kind}/${name}`, encodeWords(kind, words)]]) }),
    })
    if (planned.outcome === 'invalid') {
      return { body: { outcome: 'invalid' as const, problems: [...planned.problems] } }
    }
    const { items, fees, balance, chainId, currency, sponsored } = planned.plan
    return {
      body: {
        outcome: 'planned' as const,
        chain_id: chainId,
        currency,
        items: items.map(itemWire),
        likely_fee_per_gas: String(fees.likely),
        most_fee_per_gas: String(fees.most),
        balance: balance === undefined ? null : String(balance),
        sponsored,
      },
    }
  },
})

const batchRequest = z.strictObject({
  /** In order of dependency. */
  items: z
    .array(z.strictObject({ kind: entityKindInput, name: entityName, words: authorWords.optional() }))
    .min(1)
    .max(MAX_BATCH),
})

export type BatchRequest = z.input<typeof batchRequest>

const preparationRequest = z.strictObject({
  kind: entityKindInput,
  name: entityName,
  relay: prepareRequest.shape.relay,
  /** Absent: those of the last preparation, so that what may be in a wallet's hands stays valid. */
  words: authorWords.optional(),
})

export type PreparationRequest = z.input<typeof preparationRequest>

const EXAMPLE_TRANSACTION = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  data: '0x5d1b1f3c',
  chainId: '0x7a69',
  gas: '0x1e8480',
}

export const postPublicationPreparation = sharedOperation({
  id: 'POST_publicationPreparation',
  tag: 'publication',
  path: '/publication-preparation',
  storageErrors: 'all',
  limit: 'publish',
  precheck: requirePublication,
  summary: "Prepare a publication with its author's words",
  description:
    'As the chain API prepares it, with description, licence, source, origin, title and presentation as its metadata.',
  request: { body: preparationRequest },
  example: {
    request: {
      kind: 'connector',
      name: 'pitch',
      relay: false,
      words: { title: 'First light', present: { particles: 64, tempo: 368, loop: true }, licence: 'MIT' },
    },
    response: {
      status: 'prepared',
      kind: 'connector',
      name: 'pitch',
      transaction: EXAMPLE_TRANSACTION,
      address: '0x8f3ac1f9a0e1b3d24f5c0a7d9e6b2c4158ad7e90',
      content_hash: `0x${'2b'.repeat(32)}`,
      publication_nonce: 3,
      deadline: 1_795_462_200,
    },
  },
  responses: {
    200: { description: 'What to sign, or where the entity is published already', schema: prepareResponse },
  },
  failures: {
    400: 'Invalid request or words, or the transaction would revert',
    403: 'Publication is disabled, or the caller does not own the entity',
    404: 'No local definition',
    409: 'The registry holds different content under the name, or dependencies are missing or mismatched',
    503: 'The chain or the storage is unavailable',
  },
  handler: async (ctx, { body: { kind, name, relay, words } }) => {
    const metadata = words === undefined ? 'as_prepared' : encodeWords(kind, words)
    return { body: prepareWire(kind, name, await prepare(ctx, { kind, name, relay, metadata })) }
  },
})

export const postPublicationBatch = sharedOperation({
  id: 'POST_publicationBatch',
  tag: 'publication',
  path: '/publication-batch',
  storageErrors: 'all',
  limit: 'publish',
  precheck: requirePublication,
  summary: 'Prepare several publications as one transaction',
  description:
    "The caller's definitions in order of dependency, all or none. The transaction has no owner signature: the owner " +
    'sends it. Each publication is then confirmed by itself, by the hash of the one transaction.',
  request: { body: batchRequest },
  example: {
    request: {
      items: [
        { kind: 'transformation', name: 'add' },
        { kind: 'connector', name: 'pitch' },
      ],
    },
    response: {
      items: EXAMPLE_ITEMS.map((item, i) => ({ ...item, address: `0x${String(i + 1).repeat(40)}` })),
      transaction: EXAMPLE_TRANSACTION,
      publication_nonce: 3,
      deadline: 1_795_462_200,
      typed_data: null,
    },
  },
  responses: {
    200: { description: 'The transaction, and which of the items it publishes', schema: batchAnswer },
  },
  failures: {
    400: 'Bad request, an entity cannot be rebuilt, or the transaction would revert',
    403: "Publication is disabled, or an entity is not the caller's",
    404: 'There is no local definition of an item',
    409: 'The registry holds one of the names, or dependencies are missing or mismatched',
    503: 'The chain or the storage is unavailable',
  },
  handler: async (ctx, { body }) => {
    const batch = await prepareBatch(
      ctx,
      body.items.map(({ kind, name, words }) => ({
        kind,
        name,
        ...(words && { metadata: encodeWords(kind, words) }),
      })),
    )
    return {
      body: {
        items: batch.items.map(({ kind, name, contentHash, address }) => ({
          kind,
          name,
          content_hash: contentHash,
          address,
        })),
        transaction: transactionWire(batch),
        publication_nonce: batch.publicationNonce,
        deadline: batch.deadline,
        typed_data: batch.typedData ?? null,
      },
    }
  },
})

export const getPublications = sharedOperation({
  id: 'GET_publications',
  tag: 'publication',
  path: '/publications',
  storageErrors: 'all',
  summary: "List the caller's own publications and their progress",
  description:
    'The records of this server from preparing and confirming them: enough to finish one in another browser.',
  responses: { 200: { description: 'The newest first', schema: publicationsAnswer } },
  example: {
    response: {
      publications: EXAMPLE_ITEMS.map((item, i) => ({
        ...item,
        stage: 'pending' as const,
        tx_hash: `0x${'3d'.repeat(32)}`,
        publication_nonce: 3 + i,
        deadline: 1_795_462_200,
      })),
    },
  },
  failures: { 503: 'The storage is unavailable' },
  handler: async (ctx) => ({
    body: {
      publications: (await listPublications(ctx, requireCaller(ctx))).map(
        ({ kind, name, contentHash, stage, txHash, publicationNonce, deadline }) => ({
          kind,
          name,
          content_hash: contentHash,
          stage,
          tx_hash: txHash,
          publication_nonce: publicationNonce,
          deadline,
        }),
      ),
    },
  }),
})

function itemWire(item: PlannedItem) {
  const { kind, name, contentHash, entry, inDocument, draftOwner, traits, gas, dataFee } = item
  return {
    kind,
    name,
    content_hash: contentHash,
    entry: entry ? { address: entry.address, owner: entry.owner, content_hash: entry.contentHash } : null,
    in_document: inDocument,
    draft_owner: draftOwner ?? null,
    traits: { depends_on: traits.dependsOn, reads: [...traits.reads], calls: traits.calls },
    gas: String(gas),
    data_fee: String(dataFee),
  }
}
