import { z } from 'zod'
import { readGrant, type StoredGrant } from '#lib/core/entities/publication/grants.ts'
import { requirePublication } from '#lib/core/entities/publication/preconditions.ts'
import { prepareBatch } from '#lib/core/entities/publication/prepare-batch.ts'
import { publishSponsored } from '#lib/features/sponsor/sponsor.ts'
import { MAX_BATCH } from '#lib/protocol/payload.ts'
import { defineOperation } from '../../http/operation.ts'
import { entityKindInput, entityName, hashInput } from './request-schemas.ts'

/* What an agent does with a grant: see what is left of it, prepare, publish. */

const address = z.string().regex(/^0x[0-9a-f]{40}$/)
const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const kind = z.enum(['connector', 'transformation', 'condition'])
/** Wei outgrow JSON's numbers. */
const wei = z.string().regex(/^\d+$/).describe('Wei, as decimal text.')

/** A grant as both APIs answer it. */
export const grantAnswer = z.strictObject({
  id: hash,
  owner: address.describe('The account that signed it, and whose allowance is used.'),
  agent: address.describe('The account that may publish by it, under its own address.'),
  name: z.string(),
  kinds: z.array(kind),
  publications: z.int(),
  used_publications: z.int(),
  budget: wei,
  spent: wei,
  expires: z.int().describe('Unix seconds.'),
  revoked: z.boolean(),
  created_at: z.iso.datetime(),
})

export type GrantAnswer = z.output<typeof grantAnswer>

export function grantWire(grant: StoredGrant): GrantAnswer {
  const { id, owner, agent, name, kinds, publications, expires } = grant
  return {
    id,
    owner,
    agent,
    name,
    kinds: [...kinds],
    publications,
    used_publications: grant.usedPublications,
    budget: String(grant.budget),
    spent: String(grant.spent),
    expires,
    revoked: grant.revokedAt !== undefined,
    created_at: grant.createdAt.toISOString(),
  }
}

const shared = {
  api: 'chain',
  tag: 'grants',
  auth: 'chain',
  request: { params: z.object({ id: hashInput }) },
} as const

const wanted = { kind: entityKindInput, name: entityName }

export const getGrant = defineOperation({
  ...shared,
  id: 'GET_grant',
  path: '/grants/{id}',
  summary: 'Read a grant, and what is left of it',
  description: 'For the account that signed it, and for its agent.',
  tool: { name: 'read_grant', effect: 'reads' },
  responses: { 200: { description: 'The grant', schema: grantAnswer } },
  failures: { 400: 'Invalid id', 404: 'The account has no such grant', 503: 'The storage is unavailable' },
  handler: async (ctx, { params }) => ({ body: grantWire(await readGrant(ctx, params.id)) }),
})

export const postGrantPrepare = defineOperation({
  ...shared,
  id: 'POST_grantPrepare',
  path: '/grants/{id}/prepare',
  limit: 'publish',
  precheck: requirePublication,
  summary: "Prepare an agent's publications",
  description:
    "Several of the caller's drafts, in order of dependency, as one transaction of this site, all or none. Returns " +
    'what the caller signs: typed data (EIP-712) of the registry. The terms of the grant are checked when it is published.',
  tool: {
    name: 'prepare_granted_publication',
    effect: 'reads',
    advice:
      'Sign `typed_data` with your own key as EIP-712 data, and go on with `publish_by_grant`. Names are permanent.',
  },
  request: {
    ...shared.request,
    body: z.strictObject({ entities: z.array(z.strictObject(wanted)).min(1).max(MAX_BATCH) }),
  },
  responses: {
    200: {
      description: 'What to sign, and which of the entities it publishes: the first ones, as many as fit',
      schema: z.strictObject({
        entities: z.array(z.strictObject({ kind, name: z.string(), content_hash: hash, address })),
        typed_data: z.string().describe('EIP-712 data as JSON, as `eth_signTypedData_v4` takes it.'),
        deadline: z.int().describe('Unix seconds after which the registry refuses it.'),
      }),
    },
  },
  failures: {
    400: 'Bad request, an entity cannot be rebuilt, or the transaction would revert',
    403: "Publication is disabled, or an entity is not the caller's",
    404: 'The caller has no such grant, or there is no local definition of an entity',
    409: 'The registry holds one of the names, or dependencies are missing or mismatched',
    503: 'The chain or the storage is unavailable',
  },
  handler: async (ctx, { params, body }) => {
    await readGrant(ctx, params.id)
    const { items, typedData = '', deadline } = await prepareBatch(ctx, body.entities, 'by_grant')
    return {
      body: {
        entities: items.map(({ contentHash, ...item }) => ({ ...item, content_hash: contentHash })),
        typed_data: typedData,
        deadline,
      },
    }
  },
})

export const postGrantPublish = defineOperation({
  ...shared,
  id: 'POST_grantPublish',
  path: '/grants/{id}/publish',
  limit: 'publish',
  precheck: requirePublication,
  summary: "Publish an agent's entities by a grant",
  description:
    'The caller is the agent of the grant and owns what is published; this site pays, within the terms of the grant and ' +
    'the allowance of the account that signed it. Idempotent. Each publication is then confirmed by `POST /publish/{kind}`.',
  tool: { name: 'publish_by_grant', effect: 'publishes' },
  request: {
    ...shared.request,
    body: z.strictObject({
      entities: z
        .array(z.strictObject({ ...wanted, content_hash: hashInput }))
        .min(1)
        .max(MAX_BATCH),
      signature: z.string().describe('Of the typed data, by the key of the caller.'),
    }),
  },
  responses: {
    202: { description: 'The transaction is on its way', schema: z.strictObject({ tx_hash: hash }) },
  },
  failures: {
    400: 'Bad request, not prepared together, expired, not signed by the caller, or the transaction would fail',
    403: 'Publication is disabled, or the grant was revoked, has ended, is for other kinds, or is used up',
    404: 'The caller is not the agent of such a grant',
    409: "A name is taken, another publication of the agent is on its way, or the site's budgets do not cover it",
    503: 'The chain or the storage is unavailable',
  },
  handler: async (ctx, { params, body }) => ({
    body: {
      tx_hash: await publishSponsored(ctx, {
        items: body.entities.map(({ content_hash, ...item }) => ({ ...item, contentHash: content_hash })),
        signature: body.signature,
        grant: params.id,
      }),
    },
  }),
})
