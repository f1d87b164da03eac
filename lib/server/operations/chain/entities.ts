import { z } from 'zod'
import { createCode } from '#lib/core/entities/create-code.ts'
import { createConnector } from '#lib/core/entities/create-connector.ts'
import { getEntity, requireEntity } from '#lib/core/entities/get-entity.ts'
import { bareAddress } from '#lib/protocol/address.ts'
import { definitionWire } from '#lib/protocol/definition-wire.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { bareHash } from '#lib/protocol/hash.ts'
import { defineOperation, type Operation } from '../../http/operation.ts'
import {
  createConditionRequest,
  createConnectorRequest,
  createTransformationRequest,
  entityName,
} from './request-schemas.ts'
import {
  conditionInfoResponse,
  connectorInfoResponse,
  createConditionResponse,
  createConnectorResponse,
  createTransformationResponse,
  transformationInfoResponse,
} from './response-schemas.ts'
import { codeWire, DRAFT_ADDRESS, entityWire } from './wire.ts'

/* The entities of all three kinds: GET, HEAD and POST of each. */

const params = z.object({ name: entityName })

const DRAFT_KEPT =
  'and keeps it as a draft of the caller, for simulation and later publication. Posting the name again revises the draft'

export const getConnector = defineOperation({
  ...getFacts('connector', 'Every field is written.'),
  request: { params },
  responses: { 200: { description: 'The connector', schema: connectorInfoResponse } },
  failures: { 400: 'Invalid name', 404: 'Connector not found', 500: 'Its definition cannot be read' },
  handler: async (ctx, { params: { name } }) => {
    const connector = await getEntity(ctx, 'connector', name)
    return {
      body: {
        ...entityWire(connector),
        ...definitionWire(connector.definition),
        format_hash: bareHash(connector.formatHash),
      },
    }
  },
})

export const headConnector = headEntity('connector')

export const postConnector = defineOperation({
  ...postFacts('connector'),
  description: `Builds the connector against what its names stand for now ${DRAFT_KEPT}, also when only a part was revised.`,
  tool: { name: 'create_connector', effect: 'drafts' },
  request: { body: createConnectorRequest },
  responses: { 201: { description: 'The draft', schema: createConnectorResponse } },
  failures: {
    ...createFailures(),
    400: 'Invalid payload, or a creation check fails: the message names the check and the entity',
    500: 'Format look-up error',
    503: 'The name cannot be checked on chain, or a published part is not available yet',
  },
  handler: async (ctx, { body }) => {
    const { name, owner, formatHash } = await createConnector(ctx, body)
    return {
      body: { name, owner: bareAddress(owner), address: DRAFT_ADDRESS, format_hash: bareHash(formatHash) },
    }
  },
})

export const {
  get: getTransformation,
  head: headTransformation,
  post: postTransformation,
} = codeOperations('transformation', {
  signature: 'run(uint32 x, uint32[] args) returns (uint32)',
  advice:
    'The body sees `uint32 x` and `uint32[] args`, and returns a uint32, for instance `return x + args[0];`.',
  info: transformationInfoResponse,
  request: createTransformationRequest,
  created: createTransformationResponse,
})

export const {
  get: getCondition,
  head: headCondition,
  post: postCondition,
} = codeOperations('condition', {
  signature: 'check(int32[] args) view returns (bool)',
  advice: 'The body sees `int32[] args` and returns a bool, for instance `return args[0] >= args[1];`.',
  info: conditionInfoResponse,
  request: createConditionRequest,
  created: createConditionResponse,
})

interface CodeFacts {
  /** Head of the Solidity function whose body a client sends. */
  readonly signature: string
  /** For agents. */
  readonly advice: string
  readonly info: typeof transformationInfoResponse
  readonly request: typeof createTransformationRequest
  readonly created: typeof createTransformationResponse
}

/** The operations of an entity that is one Solidity function. */
function codeOperations(kind: Exclude<EntityKind, 'connector'>, facts: CodeFacts) {
  return {
    get: defineOperation({
      ...getFacts(kind, 'The source is never returned.'),
      request: { params },
      responses: { 200: { description: `The ${kind}`, schema: facts.info } },
      failures: { 400: 'Invalid name', 404: `${titled(kind)} not found`, 500: 'Its artifact cannot be read' },
      handler: async (ctx, { params: { name } }) => {
        return { body: codeWire(await getEntity(ctx, kind, name)) }
      },
    }),
    head: headEntity(kind),
    post: defineOperation({
      ...postFacts(kind),
      description: `Compiles the body of \`${facts.signature}\` ${DRAFT_KEPT}.`,
      tool: { name: `create_${kind}`, effect: 'drafts', advice: facts.advice },
      request: { body: facts.request },
      responses: { 201: { description: 'The draft', schema: facts.created } },
      failures: {
        ...createFailures(),
        400: 'Invalid payload, or the body does not compile: the message has lines and columns of the body',
        503: 'The name cannot be checked on chain, or too many bodies are being compiled',
      },
      handler: async (ctx, { body }) => {
        const { name, owner, argsCount } = await createCode(ctx, kind, {
          name: body.name,
          source: body.sol_src,
        })
        return {
          body: { name, owner: bareAddress(owner), address: DRAFT_ADDRESS, args_count: argsCount },
        }
      },
    }),
  }
}

function getFacts(kind: EntityKind, more: string) {
  return {
    id: `GET_${kind}`,
    api: 'chain',
    path: `/${kind}/{name}`,
    tag: kind,
    summary: `Read a ${kind}`,
    description: `Drafts and published ${kind}s alike; a draft has the address \`0x0\`. ${more}`,
    tool: { name: `read_${kind}`, effect: 'reads' },
    auth: 'none',
    cache: 'no-cache',
  } as const
}

function headEntity(kind: EntityKind): Operation {
  return defineOperation({
    id: `HEAD_${kind}`,
    api: 'chain',
    path: `/${kind}/{name}`,
    tag: kind,
    summary: `Check whether a ${kind} exists`,
    description: `Drafts and published ${kind}s alike. Text that cannot be a name does not exist.`,
    auth: 'none',
    request: { params, invalidParams: 'not_found' },
    responses: { 200: { description: 'It exists' } },
    failures: { 404: `${titled(kind)} not found` },
    handler: async (ctx, { params: { name } }) => {
      await requireEntity(ctx, kind, name)
      return { status: 200 }
    },
  })
}

function postFacts(kind: EntityKind) {
  return {
    id: `POST_${kind}`,
    api: 'chain',
    path: `/${kind}`,
    tag: kind,
    summary: `Draft a ${kind}`,
    auth: 'chain',
    limit: 'create',
  } as const
}

function createFailures() {
  return {
    409: 'The name is reserved on chain, or another account drafts under it',
    429: 'The account has too many drafts',
  }
}

function titled(kind: EntityKind): string {
  return kind.slice(0, 1).toUpperCase() + kind.slice(1)
}
