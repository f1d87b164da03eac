import { EventEmitter, once } from 'node:events'
import { z } from 'zod'
import { Failure, type FailureCode } from '#lib/protocol/failure.ts'
import { defineOperation, type Operation } from '#lib/server/http/operation.ts'

/** Emits `begun` when the operation that is given up has begun. */
export const begun = new EventEmitter()
export const ALICE = '0x00000000000000000000000000000000000000aa'
export const base = { api: 'chain', tag: 'core', summary: 'x', description: 'x', auth: 'none' } as const
const name = z.string().regex(/^\w+$/, 'expected a word')

/** An operation for each thing that a dispatcher does. */
export const operations: Operation[] = [
  defineOperation({
    ...base,
    id: 'GET_thing',
    path: '/thing/{name}',
    request: { params: z.object({ name }), query: z.object({ limit: z.string().optional() }) },
    responses: {
      200: {
        description: 'x',
        schema: z.strictObject({ name: z.string(), limit: z.string().nullable() }),
      },
    },
    handler: async (_ctx, { params, query }) => ({
      status: 200,
      body: { name: params.name, limit: query.limit ?? null },
    }),
  }),
  defineOperation({
    ...base,
    id: 'HEAD_thing',
    path: '/thing/{name}',
    request: { params: z.object({ name }), invalidParams: 'not_found' },
    responses: { 200: { description: 'x' } },
    failures: { 404: 'none' },
    handler: async () => ({ status: 200 }),
  }),
  defineOperation({
    ...base,
    id: 'POST_thing',
    path: '/thing',
    auth: 'chain',
    request: { body: z.strictObject({ text: z.string() }), maxBodyBytes: 1000 },
    responses: {
      201: {
        description: 'x',
        schema: z.strictObject({ text: z.string(), caller: z.string() }),
        headers: { Authorization: 'the token' },
      },
    },
    handler: async (ctx, { body }) => ({
      status: 201,
      body: { text: body.text, caller: ctx.caller ?? 'nobody' },
      headers: { Authorization: 'Bearer t' },
    }),
  }),
  defineOperation({
    ...base,
    id: 'GET_cached',
    path: '/thing/fixed',
    cache: 'public, max-age=60',
    request: {},
    responses: { 200: { description: 'x', schema: z.strictObject({ fixed: z.boolean() }) } },
    handler: async () => ({ status: 200, body: { fixed: true } }),
  }),
  defineOperation({
    ...base,
    id: 'GET_fail',
    path: '/fail/{code}',
    errors: 'publication',
    storageErrors: 'all',
    request: { params: z.object({ code: z.string() }) },
    responses: { 200: { description: 'x' } },
    handler: async (_ctx, { params }) => {
      if (params.code === 'defect') throw new TypeError('secret /etc/passwd')
      if (params.code === 'statement') throw failedStatement()
      const details = { txHash: '0x1', missing: ['condition/a'], mismatched: [] } as const
      const cause = new Error('because of this')
      throw new Failure(params.code as FailureCode, 'because', details, { cause, internal: 'for operators' })
    },
  }),
  defineOperation({
    ...base,
    id: 'GET_off',
    path: '/off-schema',
    request: {},
    responses: { 200: { description: 'x', schema: z.strictObject({ n: z.int() }) } },
    handler: async () => ({ status: 200, body: { n: 1.5 } }),
  }),
  defineOperation({
    ...base,
    id: 'GET_guarded',
    path: '/guarded',
    auth: 'chain',
    precheck: () => {
      throw new Failure('publication_disabled', 'off')
    },
    request: {},
    responses: { 200: { description: 'x' } },
    handler: async () => ({ status: 200 }),
  }),
  defineOperation({
    ...base,
    id: 'GET_given_up',
    path: '/given-up/{whose}',
    request: { params: z.object({ whose: z.string() }) },
    responses: { 200: { description: 'x' } },
    handler: async ({ signal }, { params }) => {
      if (params.whose === 'theirs') throw AbortSignal.abort().reason
      begun.emit('begun')
      await once(signal, 'abort')
      throw new Error('given up', { cause: signal.reason })
    },
  }),
  defineOperation({
    ...base,
    id: 'GET_text',
    path: '/text',
    request: {},
    responses: { 200: { description: 'x', contentType: 'text/event-stream' } },
    handler: async () => ({ status: 200, body: 'data: 1\n\n' }),
  }),
]

/** An error of the driver as the ORM passes it on. */
function failedStatement(): Error {
  const fields = { code: '42P01', severity: 'ERROR', routine: 'parserOpenTable' }
  const cause = Object.assign(new Error('relation does not exist'), fields)
  const statement = { query: 'select $1', params: ['a confidential value'] }
  return Object.assign(
    new Error('Failed query: select $1\nparams: a confidential value', { cause }),
    statement,
  )
}
