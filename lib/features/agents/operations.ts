import { z } from 'zod'
import { studioOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { accountParams } from '#lib/server/operations/studio/studio-schemas.ts'
import { answerAuthorisation, disconnectGrant } from './agent-grants.ts'

const text = z.string().max(4_000).optional()

const answerRequest = z.strictObject({
  allow: z.boolean(),
  /** As the application wrote it: checked again here. */
  request: z.strictObject({
    client_id: text,
    redirect_uri: text,
    response_type: text,
    code_challenge: text,
    code_challenge_method: text,
    resource: text,
    state: text,
  }),
})

const answerAnswer = z.strictObject({ redirect_to: z.string() })

export type AnswerApplicationRequest = z.input<typeof answerRequest>
export type AnswerApplicationAnswer = z.output<typeof answerAnswer>

export const postAgentAnswer = studioOperation({
  limit: 'write',
  id: 'POST_agentAnswer',
  path: '/agents/{account}',
  summary: 'Connect an application to the signed-in account, or refuse to',
  description: 'Returns where the browser goes next: to the application.',
  request: { params: accountParams, body: answerRequest },
  responses: { 200: { description: 'Answered', schema: answerAnswer } },
  failures: { 400: 'Not a valid request of an application', 429: 'The account has reached its limit' },
  handler: async (ctx, { params, body }) => ({
    body: { redirect_to: await answerAuthorisation(ctx, { ...params, ...body }) },
  }),
})

export const deleteAgent = studioOperation({
  limit: 'write',
  id: 'DELETE_agent',
  path: '/agents/{account}/{id}',
  summary: 'Disconnect an application',
  description: 'It can do nothing more from this moment on. Idempotent.',
  request: {
    params: accountParams.extend({
      id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected the id of an application'),
    }),
  },
  failures: { 400: 'Invalid account or id' },
  handler: (ctx, { params }) => disconnectGrant(ctx, params),
})
