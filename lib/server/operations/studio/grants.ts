import { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import { createGrant, listGrants, revokeGrant } from '#lib/core/entities/publication/grants.ts'
import { requirePublication } from '#lib/core/entities/publication/preconditions.ts'
import { chainFacts } from '#lib/protocol/chains.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { grantAnswer, grantWire } from '../chain/grants.ts'
import { addressInput, entityKindInput, hashInput } from '../chain/request-schemas.ts'
import { studioOperation } from './studio-operation.ts'
import { shortName } from './studio-schemas.ts'

/* The grants of an account for agents, as its own page lists, signs and revokes them. */

const grantsAnswer = z.strictObject({
  grants: z.array(grantAnswer),
  /** What the signature names; null where this server publishes nothing at an operator's expense. */
  domain: z
    .strictObject({ chain_id: z.int(), registry: z.string(), site: z.string(), currency: z.string() })
    .nullable(),
})

const grantRequest = z.strictObject({
  name: shortName,
  agent: addressInput,
  kinds: z.array(entityKindInput).min(1).max(3),
  publications: z.int(),
  /** Wei. */
  budget: z.string().regex(/^\d{1,40}$/, 'expected an amount of wei'),
  /** Unix seconds. */
  expires: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  salt: z.string().regex(/^0x[0-9a-f]{64}$/, 'expected 32 bytes in hex'),
  signature: z.string(),
})

export type GrantsAnswer = z.output<typeof grantsAnswer>
export type GrantRequest = z.input<typeof grantRequest>

export const getGrants = studioOperation({
  id: 'GET_grants',
  path: '/grants',
  summary: "List the caller's grants",
  description: 'With what was used of each.',
  responses: { 200: { description: 'The newest first', schema: grantsAnswer } },
  failures: { 503: 'The storage is unavailable' },
  handler: async (ctx) => ({ body: await grantsOf(ctx) }),
})

/** The answer that lists the caller's grants, for its page too. */
export async function grantsOf(ctx: Context): Promise<GrantsAnswer> {
  const { chain, config } = ctx
  const pays = chain !== undefined && config.publicationEnabled && config.sponsor.key !== undefined
  return {
    grants: (await listGrants(ctx)).map(grantWire),
    domain: pays
      ? {
          chain_id: chain.chainId,
          registry: chain.registry,
          site: config.siteOrigin,
          currency: config.chainCurrency ?? chainFacts(chain.chainId).currency,
        }
      : null,
  }
}

export const postGrant = studioOperation({
  id: 'POST_grant',
  path: '/grants',
  limit: 'write',
  precheck: requirePublication,
  summary: 'Let an agent publish',
  description:
    'The signature is that of the caller for the typed data of the grant (EIP-712), on this site, chain and registry.',
  request: { body: grantRequest },
  responses: { 200: { description: 'The grant', schema: grantAnswer } },
  failures: {
    400: 'Bad request, terms out of range, or the signature is not the caller’s',
    409: 'The grant was revoked',
    429: 'The account has reached its limit',
    503: 'The chain or the storage is unavailable',
  },
  handler: async (ctx, { body }) => {
    const { budget, salt, ...terms } = body
    const grant = await createGrant(ctx, { ...terms, budget: BigInt(budget), salt: salt as Hex })
    return { body: grantWire(grant) }
  },
})

export const deleteGrant = studioOperation({
  id: 'DELETE_grant',
  path: '/grants/{id}',
  limit: 'write',
  summary: 'Revoke a grant',
  description: 'At once and for good. Idempotent; what was published stays.',
  request: { params: z.object({ id: hashInput }) },
  failures: { 400: 'Invalid id', 503: 'The storage is unavailable' },
  handler: (ctx, { params }) => revokeGrant(ctx, params.id),
})
