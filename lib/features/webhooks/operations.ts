import { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { feedFilterQuery } from '#lib/server/operations/chain/request-schemas.ts'
import { sharedOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { accountParams, shortName, time } from '#lib/server/operations/studio/studio-schemas.ts'
import {
  changeEndpoint,
  createEndpoint,
  type Delivery,
  deleteEndpoint,
  type Endpoint,
  listDeliveries,
  listEndpoints,
  MAX_ENDPOINTS,
  replayFrom,
  requestTest,
  rotateSecret,
} from './endpoints.ts'

const WEBHOOK = {
  id: 'q1w2e3r4t5y6u7i8',
  name: 'Archive',
  url: 'https://archive.example/weft',
  filter: { kind: 'connector', owner: null, format: null, name: null },
  state: 'active' as const,
  disabled_reason: null,
  position: 1207,
  attempts: 0,
  failing_since: null,
  next_attempt_at: null,
  previous_secret_until: null,
  created_at: '2026-03-01T12:00:00.000Z',
}
/** Secret of no real webhook. */
const WITH_SECRET = { webhook: WEBHOOK, secret: `whsec_${'A'.repeat(32)}` }
const NEW_WEBHOOK = { name: WEBHOOK.name, url: WEBHOOK.url, filter: { kind: 'connector' } }

const endpointParams = accountParams.extend({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected the id of a webhook')
    .meta({ description: 'The id of a webhook.', example: WEBHOOK.id }),
})

const filter = z.strictObject(feedFilterQuery)
/** Checked by what parses it, which says why an address is refused. */
const url = z.string().max(2_000)

const createRequest = z.strictObject({ name: shortName, url, filter })
const changeRequest = z.strictObject({
  name: shortName.optional(),
  url: url.optional(),
  filter: filter.optional(),
  state: z.enum(['active', 'paused']).optional(),
})
const replayRequest = z.strictObject({ since_seq: z.int().min(0).max(Number.MAX_SAFE_INTEGER) })

const endpointAnswer = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  filter: z.strictObject({
    kind: z.string().nullable(),
    owner: z.string().nullable(),
    format: z.string().nullable(),
    name: z.string().nullable(),
  }),
  state: z.enum(['active', 'paused', 'disabled']),
  disabled_reason: z.string().nullable(),
  position: z.int(),
  attempts: z.int(),
  failing_since: time.nullable(),
  /** Null unless it fails. */
  next_attempt_at: time.nullable(),
  previous_secret_until: time.nullable(),
  created_at: time,
})

const endpointsAnswer = z.strictObject({
  webhooks: z.array(endpointAnswer),
  newest_seq: z.int(),
  max_webhooks: z.int(),
})

const secretAnswer = z.strictObject({ webhook: endpointAnswer, secret: z.string() })

const deliveryAnswer = z.strictObject({
  id: z.int(),
  message_id: z.string(),
  stream_seq: z.int().nullable(),
  event_type: z.string(),
  attempt: z.int(),
  at: time,
  duration_ms: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  answer: z.string(),
})

const deliveriesAnswer = z.strictObject({ deliveries: z.array(deliveryAnswer) })

export type CreateWebhookRequest = z.input<typeof createRequest>
export type WebhookAnswer = z.output<typeof endpointAnswer>
export type WebhooksAnswer = z.output<typeof endpointsAnswer>
export type WebhookSecretAnswer = z.output<typeof secretAnswer>
export type WebhookDeliveryAnswer = z.output<typeof deliveryAnswer>
export type WebhookDeliveriesAnswer = z.output<typeof deliveriesAnswer>

const missing = 'The account has no such webhook'

export const getWebhooks = sharedOperation({
  id: 'GET_webhooks',
  tag: 'webhooks',
  path: '/webhooks/{account}',
  summary: 'List the webhooks of the signed-in account',
  description: 'Without their secrets.',
  request: { params: accountParams },
  responses: { 200: { description: 'The oldest first', schema: endpointsAnswer } },
  example: { response: { webhooks: [WEBHOOK], newest_seq: 1207, max_webhooks: MAX_ENDPOINTS } },
  failures: { 400: 'Invalid account' },
  handler: async (ctx, { params }) => ({ body: await webhooksOf(ctx, params.account) }),
})

/** The answer that lists the webhooks of an account, for its page too. @throws as listEndpoints */
export async function webhooksOf(ctx: Context, account: Address): Promise<WebhooksAnswer> {
  const { endpoints, newest } = await listEndpoints(ctx, account)
  return { webhooks: endpoints.map(endpointWire), newest_seq: newest, max_webhooks: MAX_ENDPOINTS }
}

export const postWebhook = sharedOperation({
  id: 'POST_webhook',
  tag: 'webhooks',
  path: '/webhooks/{account}',
  limit: 'write',
  summary: 'Create a webhook',
  description: 'It receives what is published from now on. The secret is returned this once.',
  request: { params: accountParams, body: createRequest },
  example: { request: NEW_WEBHOOK, response: WITH_SECRET },
  responses: { 200: { description: 'The webhook and its secret', schema: secretAnswer } },
  failures: { 400: 'Bad request', 429: 'The account has reached its limit' },
  handler: async (ctx, { params, body }) => {
    const { endpoint, secret } = await createEndpoint(ctx, { ...params, ...body })
    return { body: { webhook: endpointWire(endpoint), secret } }
  },
})

export const patchWebhook = sharedOperation({
  id: 'PATCH_webhook',
  tag: 'webhooks',
  path: '/webhooks/{account}/{id}',
  limit: 'write',
  summary: 'Change, pause or resume a webhook',
  description: 'Omitted fields stay. One that becomes active goes on where it stopped, at once.',
  request: { params: endpointParams, body: changeRequest },
  example: { request: { state: 'paused' }, response: { ...WEBHOOK, state: 'paused' } },
  responses: { 200: { description: 'The webhook', schema: endpointAnswer } },
  failures: { 400: 'Bad request', 404: missing },
  handler: async (ctx, { params, body }) => ({
    body: endpointWire(await changeEndpoint(ctx, params, body)),
  }),
})

export const deleteWebhook = sharedOperation({
  id: 'DELETE_webhook',
  tag: 'webhooks',
  path: '/webhooks/{account}/{id}',
  limit: 'write',
  summary: 'Delete a webhook',
  description: 'With the record of its deliveries. Idempotent.',
  request: { params: endpointParams },
  failures: { 400: 'Invalid account or id' },
  handler: (ctx, { params }) => deleteEndpoint(ctx, params),
})

export const postWebhookSecret = sharedOperation({
  id: 'POST_webhookSecret',
  tag: 'webhooks',
  path: '/webhooks/{account}/{id}/secret',
  limit: 'write',
  summary: 'Replace the secret of a webhook',
  description: 'The old one signs too for 24 hours. The new one is returned this once.',
  request: { params: endpointParams },
  responses: { 200: { description: 'The webhook and its new secret', schema: secretAnswer } },
  example: { response: WITH_SECRET },
  failures: { 400: 'Invalid account or id', 404: missing },
  handler: async (ctx, { params }) => {
    const { endpoint, secret } = await rotateSecret(ctx, params)
    return { body: { webhook: endpointWire(endpoint), secret } }
  },
})

export const postWebhookTest = sharedOperation({
  id: 'POST_webhookTest',
  tag: 'webhooks',
  path: '/webhooks/{account}/{id}/test',
  limit: 'write',
  summary: 'Send a test event',
  description: 'Once, within seconds; what came of it is among the deliveries.',
  request: { params: endpointParams },
  responses: { 200: { description: 'The webhook', schema: endpointAnswer } },
  example: { response: WEBHOOK },
  failures: { 400: 'Invalid account or id', 404: missing },
  handler: async (ctx, { params }) => ({ body: endpointWire(await requestTest(ctx, params)) }),
})

export const postWebhookReplay = sharedOperation({
  id: 'POST_webhookReplay',
  tag: 'webhooks',
  path: '/webhooks/{account}/{id}/replay',
  limit: 'write',
  summary: 'Deliver again from a position',
  description: 'Everything after `since_seq` that fits the filter and is still stored.',
  request: { params: endpointParams, body: replayRequest },
  example: { request: { since_seq: 1100 }, response: WEBHOOK },
  responses: { 200: { description: 'The webhook', schema: endpointAnswer } },
  failures: { 400: 'Bad request', 404: missing },
  handler: async (ctx, { params, body }) => ({
    body: endpointWire(await replayFrom(ctx, params, body.since_seq)),
  }),
})

export const getWebhookDeliveries = sharedOperation({
  id: 'GET_webhookDeliveries',
  tag: 'webhooks',
  path: '/webhooks/{account}/{id}/deliveries',
  summary: 'List the last attempts of a webhook',
  description: 'Each with its status and the beginning of the answer.',
  request: { params: endpointParams },
  responses: { 200: { description: 'The newest first', schema: deliveriesAnswer } },
  example: {
    response: {
      deliveries: [
        {
          id: 9041,
          message_id: 'seq_1207',
          stream_seq: 1207,
          event_type: 'connector_added',
          attempt: 1,
          at: '2026-03-01T12:00:05.000Z',
          duration_ms: 84,
          status: 204,
          error: null,
          answer: '',
        },
      ],
    },
  },
  failures: { 400: 'Invalid account or id', 404: missing },
  handler: async (ctx, { params }) => ({
    body: { deliveries: (await listDeliveries(ctx, params)).map(deliveryWire) },
  }),
})

function endpointWire(endpoint: Endpoint) {
  const { id, name, url, filter, state, position, attempts } = endpoint
  return {
    id,
    name,
    url,
    filter: {
      kind: filter.kind ?? null,
      owner: filter.owner ?? null,
      format: filter.format ?? null,
      name: filter.name ?? null,
    },
    state,
    disabled_reason: endpoint.disabledReason,
    position,
    attempts,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    next_attempt_at: attempts > 0 && state === 'active' ? endpoint.dueAt.toISOString() : null,
    previous_secret_until: endpoint.previousSecretUntil?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
  }
}

function deliveryWire(delivery: Delivery) {
  const { id, attempt, status, error, answer } = delivery
  return {
    id,
    message_id: delivery.messageId,
    stream_seq: delivery.streamSeq,
    event_type: delivery.eventType,
    attempt,
    at: delivery.at.toISOString(),
    duration_ms: delivery.durationMs,
    status,
    error,
    answer,
  }
}
