import { z } from 'zod'
import { bareAddress } from '../../domain/address.ts'
import { defineOperation } from '../../http/operation.ts'
import { createCondition } from '../../registry/create-condition.ts'
import { getEntity } from '../../registry/get-entity.ts'
import { requireEntity } from '../../registry/require-entity.ts'
import {
  conditionInfoResponse,
  createConditionRequest,
  createConditionResponse,
  entityName,
} from './schemas.ts'
import { DRAFT_ADDRESS, entityWire } from './wire.ts'

const params = z.object({ name: entityName })

export const getCondition = defineOperation({
  id: 'GET_condition',
  api: 'chain',
  method: 'GET',
  path: '/condition/{name}',
  tag: 'condition',
  summary: 'Read a condition',
  description:
    'Drafts and published conditions alike; a draft has the address `0x0`. The source is never returned.',
  auth: 'none',
  request: { params },
  responses: { 200: { description: 'The condition', schema: conditionInfoResponse } },
  failures: { 400: 'Invalid name', 404: 'Condition not found', 500: 'Its artifact cannot be read' },
  cache: 'no-cache',
  reads: ['drafts', 'entities'],
  handler: async (ctx, { params: { name } }) => {
    const condition = await getEntity(ctx, 'condition', name)
    return { status: 200, body: { ...entityWire(condition), args_count: condition.argsCount } }
  },
})

export const headCondition = defineOperation({
  id: 'HEAD_condition',
  api: 'chain',
  method: 'HEAD',
  path: '/condition/{name}',
  tag: 'condition',
  summary: 'Ask whether a condition exists',
  description: 'Drafts and published conditions alike. Text that cannot be a name does not exist.',
  auth: 'none',
  request: { params, invalidParams: 'not_found' },
  responses: { 200: { description: 'It exists' } },
  failures: { 404: 'Condition not found' },
  handler: async (ctx, { params: { name } }) => {
    await requireEntity(ctx, 'condition', name)
    return { status: 200 }
  },
})

export const postCondition = defineOperation({
  id: 'POST_condition',
  api: 'chain',
  method: 'POST',
  path: '/condition',
  tag: 'condition',
  summary: 'Draft a condition',
  description:
    'Compiles the body of `check(int32[] args) view returns (bool)` ' +
    'and keeps it as a draft of the caller, for simulation and later publication. Posting the name again revises the draft.',
  auth: 'chain',
  limit: 'create',
  request: { body: createConditionRequest },
  responses: { 201: { description: 'The draft', schema: createConditionResponse } },
  failures: {
    400: 'Invalid payload, or the body does not compile: the message has lines and columns of the body',
    409: 'The name is reserved on chain, or another account drafts under it',
    429: 'The account has too many drafts',
    503: 'The name cannot be checked on chain, or too many bodies are being compiled',
  },
  handler: async (ctx, { body }) => {
    const { name, owner, argsCount } = await createCondition(ctx, { name: body.name, source: body.sol_src })
    return {
      status: 201,
      body: { name, owner: bareAddress(owner), address: DRAFT_ADDRESS, args_count: argsCount },
    }
  },
})
