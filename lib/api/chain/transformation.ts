import { z } from 'zod'
import { bareAddress } from '../../domain/address.ts'
import { defineOperation } from '../../http/operation.ts'
import { createTransformation } from '../../registry/create-transformation.ts'
import { getEntity } from '../../registry/get-entity.ts'
import { requireEntity } from '../../registry/require-entity.ts'
import {
  createTransformationRequest,
  createTransformationResponse,
  entityName,
  transformationInfoResponse,
} from './schemas.ts'
import { DRAFT_ADDRESS, entityWire } from './wire.ts'

const params = z.object({ name: entityName })

export const getTransformation = defineOperation({
  id: 'GET_transformation',
  api: 'chain',
  method: 'GET',
  path: '/transformation/{name}',
  tag: 'transformation',
  summary: 'Read a transformation',
  description:
    'Drafts and published transformations alike; a draft has the address `0x0`. The source is never returned.',
  auth: 'none',
  request: { params },
  responses: { 200: { description: 'The transformation', schema: transformationInfoResponse } },
  failures: { 400: 'Invalid name', 404: 'Transformation not found', 500: 'Its artifact cannot be read' },
  cache: 'no-cache',
  reads: ['drafts', 'entities'],
  handler: async (ctx, { params: { name } }) => {
    const transformation = await getEntity(ctx, 'transformation', name)
    return { status: 200, body: { ...entityWire(transformation), args_count: transformation.argsCount } }
  },
})

export const headTransformation = defineOperation({
  id: 'HEAD_transformation',
  api: 'chain',
  method: 'HEAD',
  path: '/transformation/{name}',
  tag: 'transformation',
  summary: 'Ask whether a transformation exists',
  description: 'Drafts and published transformations alike. Text that cannot be a name does not exist.',
  auth: 'none',
  request: { params, invalidParams: 'not_found' },
  responses: { 200: { description: 'It exists' } },
  failures: { 404: 'Transformation not found' },
  handler: async (ctx, { params: { name } }) => {
    await requireEntity(ctx, 'transformation', name)
    return { status: 200 }
  },
})

export const postTransformation = defineOperation({
  id: 'POST_transformation',
  api: 'chain',
  method: 'POST',
  path: '/transformation',
  tag: 'transformation',
  summary: 'Draft a transformation',
  description:
    'Compiles the body of `run(uint32 x, uint32[] args) returns (uint32)` ' +
    'and keeps it as a draft of the caller, for simulation and later publication. Posting the name again revises the draft.',
  auth: 'chain',
  limit: 'create',
  request: { body: createTransformationRequest },
  responses: { 201: { description: 'The draft', schema: createTransformationResponse } },
  failures: {
    400: 'Invalid payload, or the body does not compile: the message has lines and columns of the body',
    409: 'The name is reserved on chain, or another account drafts under it',
    429: 'The account has too many drafts',
    503: 'The name cannot be checked on chain, or too many bodies are being compiled',
  },
  handler: async (ctx, { body }) => {
    const { name, owner, argsCount } = await createTransformation(ctx, {
      name: body.name,
      source: body.sol_src,
    })
    return {
      status: 201,
      body: { name, owner: bareAddress(owner), address: DRAFT_ADDRESS, args_count: argsCount },
    }
  },
})
