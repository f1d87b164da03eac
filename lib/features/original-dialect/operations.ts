import { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import { type Entity, getEntity } from '#lib/core/entities/get-entity.ts'
import { chainLogin, type LoginInput, nonceIn, redeemNonce } from '#lib/core/identity/chain-login.ts'
import type { Config } from '#lib/platform/config.ts'
import type { EntityKind, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { defineOperation, type Operation } from '#lib/server/http/operation.ts'
import { getNonce, postAuth } from '#lib/server/operations/chain/auth.ts'
import { getCondition, getTransformation } from '#lib/server/operations/chain/entities.ts'
import {
  addressInput,
  authRequest,
  entityName,
  executeRequest,
} from '#lib/server/operations/chain/request-schemas.ts'
import {
  authResponse,
  conditionInfoResponse,
  executeResponse,
  hexBytes,
  prefixedAddress,
  transformationInfoResponse,
} from '#lib/server/operations/chain/response-schemas.ts'
import { executeJson, MAX_RUN_BYTES, postExecute } from '#lib/server/operations/chain/run.ts'
import { codeWire } from '#lib/server/operations/chain/wire.ts'
import { isChallengeNonce, issueChallenge, verifyChallenge } from './challenge.ts'
import { originalDialectSettings } from './settings.ts'

/*
 * Operations of the chain API with what clients of the original network's later release require beyond the
 * specification. Each takes the place of the one of its id while the setting is on.
 */

const NONCE_EXAMPLE = '000000000123456789012345678901234567890123456789012345678901234567'

const nonceInDialect = defineOperation({
  ...getNonce,
  description:
    'A nonce, valid once and for five minutes, in two ways: sign the exact message `Login nonce: <nonce>` and post that ' +
    'message to `/auth`, or sign `message` (EIP-4361) and post the `nonce`. The message names `origin`, else the ' +
    '`Origin` header where this server signs in for it, else the site. An address may have any number of nonces; a new ' +
    'one leaves the others valid.',
  request: {
    params: z.object({ address: addressInput }),
    query: z.object({
      origin: z.string().max(2048).optional().meta({
        description: 'Origin of the page that signs in, one that this server allows.',
        example: 'https://weft.example',
      }),
    }),
    headers: z.object({
      origin: z.string().optional().meta({
        description:
          'Origin of the page that signs in, as browsers send it. One that is not allowed counts as none.',
        example: 'https://weft.example',
      }),
    }),
  },
  responses: {
    200: {
      description: 'A fresh nonce',
      schema: z
        .strictObject({
          nonce: z
            .string()
            .regex(/^[0-9]{66}$/)
            .meta({ example: NONCE_EXAMPLE }),
          message: z.string().describe('EIP-4361, to be signed as it is by `personal_sign`.'),
        })
        .meta({ id: 'NonceResponse' }),
    },
  },
  failures: {
    400: 'Invalid address or origin',
    503: 'The chain does not answer, so that its id is not known',
  },
  example: {
    response: {
      nonce: NONCE_EXAMPLE,
      message: [
        'https://weft.example wants you to sign in with your Ethereum account:',
        '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        '',
        'Sign in to the chain API of Weft. This costs nothing and sends no transaction.',
        '',
        'URI: https://weft.example',
        'Version: 1',
        'Chain ID: 31337',
        `Nonce: ${NONCE_EXAMPLE}`,
        'Issued At: 2026-01-01T00:00:00.000Z',
        'Expiration Time: 2026-01-01T00:05:00.000Z',
      ].join('\n'),
    },
  },
  handler: async (ctx, { params: { address }, query, headers }) => ({
    body: await issueChallenge(ctx, address, { explicit: query.origin, header: headers.origin }),
  }),
})

const authInDialect = defineOperation({
  ...postAuth,
  description:
    'Exchanges a signed nonce for an access token that is valid for five minutes. Send either `message`, which is ' +
    '`Login nonce: <nonce>`, or the `nonce` whose `message` was signed. The signature is EIP-191 (`personal_sign`): 65 ' +
    'bytes with `s` in its lower half and `v` of 27, 28, 0 or 1; a contract wallet is verified on chain (EIP-1271, or ' +
    'ERC-6492 before it is deployed). Every attempt consumes the nonce it names, valid or not.',
  request: {
    body: authRequest
      .partial({ message: true })
      .extend({
        nonce: z.string().max(256).optional().meta({
          description: 'In place of `message`: the nonce of `/nonce`, whose `message` was signed.',
          example: NONCE_EXAMPLE,
        }),
      })
      .meta({ id: 'AuthRequest' }),
  },
  responses: {
    200: {
      description: 'The access token',
      schema: authResponse,
      headers: { Authorization: '`Bearer <access_token>`' },
    },
  },
  failures: {
    400: 'Invalid address, nonce, message or signature',
    503: 'The chain does not answer, so that its id is not known',
  },
  handler: async (ctx, { body }) => {
    const { accessToken } = await loginInDialect(ctx, body)
    return {
      body: { access_token: accessToken },
      headers: { Authorization: `Bearer ${accessToken}` },
    }
  },
})

interface DialectLogin extends Pick<LoginInput, 'address' | 'signature'> {
  readonly message?: string | undefined
  readonly nonce?: string | undefined
}

/** Logs in by either way. The form of the request alone decides which text was to be signed, so that no signature fits both. */
async function loginInDialect(ctx: Context, input: DialectLogin): Promise<{ accessToken: string }> {
  const { address, message, nonce, signature } = input
  if (nonce !== undefined && message === undefined)
    return redeemNonce(ctx, input, await verifyChallenge(ctx, address, nonce))
  if (nonce !== undefined || message === undefined) {
    throw new Failure(
      'invalid_request',
      'Send either message, which is "Login nonce: <nonce>", or nonce, which came with a message to sign',
    )
  }
  const signedNonce = nonceIn(message)
  if (!isChallengeNonce(signedNonce)) return chainLogin(ctx, { address, message, signature })
  const issued = await verifyChallenge(ctx, address, signedNonce)
  return redeemNonce(ctx, input, issued && { ...issued, message })
}

const executeInDialect = defineOperation({
  ...postExecute,
  request: { body: executeRequest, maxBodyBytes: MAX_RUN_BYTES },
  responses: {
    200: {
      description: 'The particles and where they come from',
      schema: executeResponse
        .extend({
          registry: prefixedAddress.describe('The registry that the runner looked the connector up in.'),
        })
        .meta({ id: 'ExecuteResponse' }),
    },
  },
  handler: async (ctx, { body }) => ({ json: await executeJson(ctx, body, true) }),
})

const codeInDialect = [
  codeOperation(
    'transformation',
    getTransformation,
    transformationInfoResponse,
    'TransformationInfoResponse',
  ),
  codeOperation('condition', getCondition, conditionInfoResponse, 'ConditionInfoResponse'),
]

function codeOperation(
  kind: Exclude<EntityKind, 'connector'>,
  operation: Operation,
  info: typeof transformationInfoResponse,
  id: string,
): Operation {
  return defineOperation({
    ...operation,
    request: { params: z.object({ name: entityName }) },
    responses: {
      200: {
        description: `The ${kind}`,
        schema: info
          .extend({ runtime_code: hexBytes.nullable().describe('Code at its address; null for a draft.') })
          .meta({ id }),
      },
    },
    handler: async (ctx, { params: { name } }) => {
      const entity = await getEntity(ctx, kind, name)
      return { body: { ...codeWire(entity), runtime_code: await runtimeOf(ctx, entity) } }
    },
  })
}

async function runtimeOf(ctx: Context, { address, contentHash }: Entity): Promise<Hex | null> {
  if (address === undefined) return null
  const [row] = await ctx.db.sql<{ runtime: Hex }[]>`
    select body->>'runtime' as runtime from artifacts where content_hash = ${contentHash}`
  return row?.runtime ?? null
}

const IN_DIALECT: ReadonlyMap<string, Operation> = new Map(
  [nonceInDialect, authInDialect, executeInDialect, ...codeInDialect].map((operation) => [
    operation.id,
    operation,
  ]),
)

/** Returns the operation of a server with this configuration that serves the requests of one of the specification. */
export function inDialect(operation: Operation, config: Pick<Config, 'features'>): Operation {
  const isOn = originalDialectSettings.of(config).enabled
  return (isOn ? IN_DIALECT.get(operation.id) : undefined) ?? operation
}
