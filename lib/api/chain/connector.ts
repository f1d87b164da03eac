import { z } from 'zod'
import { bareAddress } from '../../domain/address.ts'
import { bareHash } from '../../domain/hash.ts'
import { defineOperation } from '../../http/operation.ts'
import { createConnector } from '../../registry/create-connector.ts'
import { getEntity } from '../../registry/get-entity.ts'
import { requireEntity } from '../../registry/require-entity.ts'
import {
  connectorInfoResponse,
  createConnectorRequest,
  createConnectorResponse,
  entityName,
} from './schemas.ts'
import { DRAFT_ADDRESS, definitionWire, entityWire } from './wire.ts'

const params = z.object({ name: entityName })

export const getConnector = defineOperation({
  id: 'GET_connector',
  api: 'chain',
  method: 'GET',
  path: '/connector/{name}',
  tag: 'connector',
  summary: 'Read a connector',
  description:
    'Drafts and published connectors alike; a draft has the address `0x0`. Every field is written.',
  auth: 'none',
  request: { params },
  responses: { 200: { description: 'The connector', schema: connectorInfoResponse } },
  failures: { 400: 'Invalid name', 404: 'Connector not found', 500: 'Its definition cannot be read' },
  cache: 'no-cache',
  reads: ['drafts', 'entities'],
  handler: async (ctx, { params: { name } }) => {
    const connector = await getEntity(ctx, 'connector', name)
    return {
      status: 200,
      body: {
        ...entityWire(connector),
        ...definitionWire(connector.definition),
        format_hash: bareHash(connector.formatHash),
      },
    }
  },
})

export const headConnector = defineOperation({
  id: 'HEAD_connector',
  api: 'chain',
  method: 'HEAD',
  path: '/connector/{name}',
  tag: 'connector',
  summary: 'Ask whether a connector exists',
  description: 'Drafts and published connectors alike. Text that cannot be a name does not exist.',
  auth: 'none',
  request: { params, invalidParams: 'not_found' },
  responses: { 200: { description: 'It exists' } },
  failures: { 404: 'Connector not found' },
  handler: async (ctx, { params: { name } }) => {
    await requireEntity(ctx, 'connector', name)
    return { status: 200 }
  },
})

export const postConnector = defineOperation({
  id: 'POST_connector',
  api: 'chain',
  method: 'POST',
  path: '/connector',
  tag: 'connector',
  summary: 'Draft a connector',
  description:
    'Builds the connector against what its names stand for now and keeps it as a draft of the caller, for ' +
    'simulation and later publication. Posting the name again revises the draft, also when only a part was revised.',
  auth: 'chain',
  limit: 'create',
  request: { body: createConnectorRequest },
  responses: { 201: { description: 'The draft', schema: createConnectorResponse } },
  failures: {
    400: 'Invalid payload, or a creation check fails: the message names the check and the entity',
    409: 'The name is reserved on chain, or another account drafts under it',
    429: 'The account has too many drafts',
    500: 'Format look-up error',
    503: 'The name cannot be checked on chain, or a published part is not available yet',
  },
  handler: async (ctx, { body }) => {
    const { name, owner, formatHash } = await createConnector(ctx, body)
    return {
      status: 201,
      body: { name, owner: bareAddress(owner), address: DRAFT_ADDRESS, format_hash: bareHash(formatHash) },
    }
  },
})
