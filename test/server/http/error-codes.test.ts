import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Failure } from '#lib/protocol/failure.ts'
import { createDispatcher } from '#lib/server/http/dispatch.ts'
import {
  chainErrors,
  ERROR_STATUS,
  type ErrorCode,
  type ErrorFormat,
  errorDocs,
  servicesErrors,
} from '#lib/server/http/errors.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import type { ApiRequest } from '#lib/server/http/request.ts'
import { chainDocument } from '#lib/server/operations/chain/document.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { servicesDocument } from '#lib/server/operations/services/document.ts'
import { servicesOperations } from '#lib/server/operations/services/index.ts'
import { headingId } from '#lib/ui/docs/headings.ts'
import { bareServices } from '#test/support/bare-services.ts'

test.each([
  ['chain', chainDocument(chainOperations)],
  ['services', servicesDocument(servicesOperations)],
])('the %s document names the header of every error', (_, { paths }) => {
  const operations = Object.values(paths ?? {}).flatMap(
    (methods) => Object.values(methods) as { responses: Record<string, { headers?: object }> }[],
  )
  const errors = operations.flatMap(({ responses }) =>
    Object.entries(responses).filter(([status]) => Number(status) >= 400),
  )
  expect(errors.length).toBeGreaterThan(50)
  for (const [status, { headers }] of errors) expect(headers, status).toHaveProperty('X-Error-Code')
})

const operation = defineOperation({
  ...{ id: 'GET_thing', api: 'chain', method: 'GET', path: '/thing', tag: 'core', auth: 'none' },
  ...{ summary: 'x', description: 'x' },
  request: { query: z.object({ fail: z.string() }) },
  responses: { 200: { description: 'x', contentType: 'text/plain' } },
  handler: async (_, { query }) => {
    if (query.fail === 'taken') throw new Failure('name_taken', 'taken')
    if (query.fail === 'defect') throw new Error('broken')
    return { status: 200, body: new Uint8Array(100_000) }
  },
})
function answer(format: ErrorFormat, path: string, request: Partial<ApiRequest> = {}) {
  return createDispatcher([operation], {
    base: '/api',
    services: async () => bareServices(),
    errors: format,
    authenticate: () => expect.unreachable(),
  }).handle({
    ...{ method: 'GET', peer: undefined, body: null, signal: new AbortController().signal },
    pathname: path.split('?')[0] as string,
    search: path.slice(path.indexOf('?')),
    headers: new Headers(),
    ...request,
  })
}

test('every code links to its paragraph of the page', () => {
  const headings = readFileSync('docs/errors.md', 'utf8').match(/^### .*$/gm) ?? []
  const ids = headings.map((heading) => headingId(heading.slice(4)))
  const linked = Object.keys(ERROR_STATUS).map((code) => errorDocs(code as ErrorCode).split('#')[1])
  expect(linked.toSorted()).toEqual(ids.toSorted())
})

describe.each([
  ['chain', chainErrors],
  ['services', servicesErrors],
])('the %s API', (_, format) => {
  test.each([
    ['name_taken', '/api/thing?fail=taken', {}],
    ['invalid_request', '/api/thing?', {}],
    ['internal_error', '/api/thing?fail=defect', {}],
    ['unknown_path', '/api/nothing?', {}],
    ['method_not_allowed', '/api/thing?', { method: 'DELETE' }],
    ['overloaded', '/api/thing?fail=no', { reserve: () => false }],
  ] as const)('answers %s', async (code, path, request) => {
    const { status, headers, body } = await answer(format, path, request)
    expect([status, headers.get('x-error-code')]).toEqual([ERROR_STATUS[code], code])
    expect(headers.get('access-control-expose-headers')).toContain('X-Error-Code')
    // The specification defines no body for errors of the services API.
    expect(body === null).toBe(format === servicesErrors)
  })

  test('no error, no code', async () => {
    expect((await answer(format, '/api/thing?fail=no')).headers.get('x-error-code')).toBeUndefined()
  })
})
