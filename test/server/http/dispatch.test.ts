import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '#lib/platform/log/create-log.ts'
import { Failure, type FailureCode } from '#lib/protocol/failure.ts'
import { type CompletedRequest, createDispatcher } from '#lib/server/http/dispatch.ts'
import { chainErrors } from '#lib/server/http/errors.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import { bareServices } from '#test/support/bare-services.ts'
import { ADAPTERS, type Served } from './adapters.ts'
import { ALICE, base, begun, operations } from './sample-operations.ts'

const lines: string[] = []
const log = createLog({ level: 'info', secrets: [] }, { write: (line) => void lines.push(line) })
const services = bareServices({ log })
const answers: CompletedRequest[] = []
const dispatch = createDispatcher(operations, {
  base: '/chain',
  services: async () => services,
  errors: chainErrors,
  authenticate: async (request) => {
    if (request.headers.get('authorization') === 'Bearer alice') return { address: ALICE }
    throw new Failure('unauthenticated', 'log in')
  },
  validateResponses: true,
  observe: (answer) => answers.push(answer),
})

describe.each(ADAPTERS)('served by %s', (adapter, serve) => {
  let served: Served
  beforeAll(async () => {
    served = await serve(dispatch)
  })
  afterAll(() => served.close())

  function call(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    return served.send(path, { method, ...init })
  }

  function post(body: BodyInit | null, headers: Record<string, string> = {}): Promise<Response> {
    return call('POST', '/chain/thing', {
      body,
      headers: { authorization: 'Bearer alice', 'content-type': 'application/json', ...headers },
      duplex: 'half',
    } as RequestInit)
  }

  async function message(response: Response): Promise<string> {
    const body = (await response.json()) as { message: string }
    expect(Object.keys(body)).toEqual(['message'])
    return body.message
  }

  describe('routes', () => {
    test.each([
      ['/chain/thing/abc', 'abc'],
      ['/chain/thing/%61bc', 'abc'],
      ['/chain/%74hing/abc', 'abc'],
      ['/chain/thing/__proto__', '__proto__'],
      ['/chain/thing/toString', 'toString'],
    ])('%s', async (path, expected) => {
      const response = await call('GET', path)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ name: expected, limit: null })
    })

    test('a fixed segment wins over a placeholder', async () => {
      expect(await (await call('GET', '/chain/thing/fixed')).json()).toEqual({ fixed: true })
    })

    test.each([
      '/chain',
      '/chain/',
      '/chain/none',
      '/chain/thing/',
      '/chain/thing/a/b',
      '/chain//thing/a',
      '/chainthing/a',
      '/chain/%zz',
      '/chain/%00',
      '/chain/__proto__',
      '/',
    ])('%s is nothing: 404', async (path) => {
      const response = await call('GET', path)
      expect(response.status).toBe(404)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      await message(response)
    })

    test.each(['a%2Fb', '%zz', '%ff', '%', '%00', 'a%20b', '%E0%A4%A'])(
      'the bad name %s is 400, and 404 for HEAD',
      async (segment) => {
        const got = await call('GET', `/chain/thing/${segment}`)
        expect(got.status).toBe(400)
        expect(await message(got)).toMatch(/^name: /)
        expect((await call('HEAD', `/chain/thing/${segment}`)).status).toBe(404)
      },
    )

    test.each([
      ['DELETE', '/chain/thing/abc', 'GET, HEAD, OPTIONS'],
      ['POST', '/chain/thing/abc', 'GET, HEAD, OPTIONS'],
      ['GET', '/chain/thing', 'POST, OPTIONS'],
      ['HEAD', '/chain/thing/fixed', 'GET, OPTIONS'],
      ['PATCH', '/chain/text', 'GET, OPTIONS'],
    ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
      const response = await call(method, path)
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe(allow)
      if (method !== 'HEAD') await message(response)
    })
  })

  describe('CORS', () => {
    test.each([
      ['/chain/thing/abc', 'GET, HEAD, OPTIONS'],
      ['/chain/thing', 'POST, OPTIONS'],
      ['/chain/thing/%zz', 'GET, HEAD, OPTIONS'],
    ])('OPTIONS %s is 204', async (path, methods) => {
      const response = await call('OPTIONS', path, { headers: { origin: 'https://x.example' } })
      expect(response.status).toBe(204)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': methods,
        'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, Last-Event-ID, Range',
        'access-control-max-age': '600',
      })
      expect(response.headers.get('content-type')).toBeNull()
      expect(await response.text()).toBe('')
    })

    test('declared headers are exposed', async () => {
      const response = await post('{"text":"a"}')
      expect(response.headers.get('access-control-expose-headers')).toBe(
        'X-Request-Id, X-Error-Code, Retry-After, Authorization',
      )
    })
  })

  describe('HEAD', () => {
    test.each(['/chain/thing/abc', '/chain/thing/%zz', '/chain/none', '/chain/text'])(
      '%s has no body and announces none',
      async (path) => {
        const response = await call('HEAD', path)
        expect(response.headers.get('content-type')).toBeNull()
        expect(response.headers.get('content-length')).toBe('0')
        expect(await response.text()).toBe('')
      },
    )
  })

  describe('aborted work', () => {
    const abortion = AbortSignal.abort().reason as DOMException
    /** The abort reason of an agent's connection. */
    const likeAnOutage = Object.assign(new Error('Connection closed'), { code: 'CONNECTION_CLOSED' })

    test('after a client disconnect is no defect, and gets no response', async () => {
      const leaving = new AbortController()
      const [response] = await Promise.all([
        call('GET', '/chain/given-up/mine', { signal: leaving.signal }).catch(() => undefined),
        once(begun, 'begun').then(() => leaving.abort(likeAnOutage)),
      ])
      // Only without a connection can the response still be read.
      if (adapter === 'web') expect(response?.status).toBe(499)
      await expect.poll(() => answers.at(-1)).toMatchObject({ operationId: 'GET_given_up', status: 499 })
      expect(answers.at(-1)?.error).toBeUndefined()
      expect(lines.filter((line) => line.includes('GET_given_up') || line.includes('/given-up/'))).toEqual([])
    })

    test('for any other reason is one', async () => {
      expect((await call('GET', '/chain/given-up/theirs')).status).toBe(500)
      expect(lines.pop()).toContain(abortion.message)
    })
  })

  describe('query', () => {
    test('known keys reach the schema once, unknown ones never', async () => {
      const response = await call('GET', '/chain/thing/a?x=1&x=2&limit=%35')
      expect(await response.json()).toEqual({ name: 'a', limit: '5' })
      const repeated = await call('GET', '/chain/thing/a?limit=1&limit=1')
      expect(repeated.status).toBe(400)
      expect(await message(repeated)).toBe('limit: given more than once')
    })
  })

  describe('token', () => {
    test.each([undefined, 'Bearer mallory', 'Basic x'])(
      '%s on a protected path is 401',
      async (authorization) => {
        const response = await call('POST', '/chain/thing', {
          // The token is judged before the body.
          body: '{"text":',
          headers: authorization === undefined ? {} : { authorization },
        })
        expect(response.status).toBe(401)
        expect(response.headers.get('www-authenticate')).toBe('Bearer')
        await message(response)
      },
    )

    test('on a public path it is not looked at', async () => {
      const response = await call('GET', '/chain/thing/a', { headers: { authorization: 'Bearer ~broken~' } })
      expect(response.status).toBe(200)
    })
  })

  describe('body', () => {
    test('reaches the handler', async () => {
      const response = await post('\ufeff {"text":"a"}')
      expect(response.status).toBe(201)
      expect(await response.json()).toEqual({ text: 'a', caller: ALICE })
      expect(response.headers.get('authorization')).toBe('Bearer t')
    })

    test.each([
      ['', /empty/],
      ['{"text":"a"', /not valid JSON/],
      ['{"text":"a","text":"a"}', /Repeated key "text"/],
      ['{"text":1}', /^text: expected string/],
      ['{}', /^text: required/],
      ['{"text":"a","more":1}', /unknown field "more"/],
      ['{"text":"a","__proto__":{}}', /unknown field "__proto__"/],
      ['[]', /^body: expected object/],
      ['null', /^body: expected object/],
      [`${'['.repeat(400)}${']'.repeat(400)}`, /nested deeper/],
    ])('%s is 400', async (body, text) => {
      const response = await post(body)
      expect(response.status).toBe(400)
      expect(await message(response)).toMatch(text)
    })

    test('bytes that are not UTF-8 are 400', async () => {
      const bytes = new Uint8Array([...new TextEncoder().encode('{"text":"'), 0xff, 0x22, 0x7d])
      const response = await post(bytes)
      expect(response.status).toBe(400)
      expect(await message(response)).toMatch(/UTF-8/)
    })

    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'json',
    ])('announced as %s is 415', async (type) => {
      const response = await post('{"text":"a"}', { 'content-type': type })
      expect(response.status).toBe(415)
      await message(response)
    })

    test.each([
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
      'application/problem+json',
      '',
    ])('announced as %j passes', async (type) => {
      expect((await post('{"text":"a"}', { 'content-type': type })).status).toBe(201)
    })

    test('the limit counts bytes, inclusive', async () => {
      const sized = (bytes: number) =>
        `{"text":"${'é'.repeat((bytes - 11) / 2)}"}`.padEnd(bytes - (bytes - 11) / 2)
      const exact = `{"text":"${'a'.repeat(989)}"}`
      expect(new TextEncoder().encode(exact).length).toBe(1000)
      expect((await post(exact)).status).toBe(201)
      expect((await post(`${exact} `)).status).toBe(413)
      expect((await post(sized(1001))).status).toBe(413)
    })
  })

  describe('failures', () => {
    const expected: Record<FailureCode, number> = {
      invalid_request: 400,
      unauthenticated: 401,
      forbidden: 403,
      publication_disabled: 403,
      not_found: 404,
      gone: 404,
      name_taken: 409,
      dependency_conflict: 409,
      registry_conflict: 409,
      nonce_conflict: 409,
      conflict: 409,
      payload_too_large: 413,
      too_many: 429,
      rejected: 400,
      pending: 202,
      execution_failed: 500,
      chain_malformed: 502,
      chain_unavailable: 503,
      artifacts_unavailable: 503,
      storage_unavailable: 503,
      overloaded: 503,
      storage_full: 507,
    }

    test.each(Object.entries(expected))('%s is %i', async (code, status) => {
      const response = await call('GET', `/chain/fail/${code}`)
      expect(response.status).toBe(status)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.json()).toEqual({
        message: 'because',
        ...(status === 202 && { status: 'pending' }),
        tx_hash: '0x1',
        missing: ['condition/a'],
        mismatched: [],
      })
    })

    test.each(Object.entries(expected))('%s is logged once where it is 500 or more', async (code, status) => {
      lines.length = 0
      const response = await call('GET', `/chain/fail/${code}`)
      const logged = lines.map((line) => JSON.parse(line))
      if (status < 500) return expect(logged).toEqual([])
      const docs = `/docs/errors#${code.replaceAll('_', '-')}`
      expect(response.headers.get('link')).toBe(`<${docs}>; rel="help"`)
      const common = { code, docs, internal: 'for operators', method: 'GET', path: `/chain/fail/${code}` }
      expect(logged).toMatchObject([{ ...common, requestId: response.headers.get('x-request-id') }])
      if (code !== 'overloaded') expect(lines[0]).toContain('because of this')
    })

    test('an error of the database under publication is 503, and its cause is in the log', async () => {
      lines.length = 0
      expect((await call('GET', '/chain/fail/statement')).status).toBe(503)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain('relation does not exist')
      expect(lines[0]).not.toContain('a confidential value')
    })

    test('an overloaded server sends Retry-After', async () => {
      expect((await call('GET', '/chain/fail/overloaded')).headers.get('retry-after')).toBe('1')
      expect((await call('GET', '/chain/fail/not_found')).headers.get('retry-after')).toBeNull()
    })

    test('a defect is a neutral 500 whose id leads to the error', async () => {
      const response = await call('GET', '/chain/fail/defect')
      expect(response.status).toBe(500)
      const text = await response.text()
      expect(text).not.toMatch(/secret|passwd|TypeError|\.ts/)
      const answer = answers.at(-1)
      expect(answer?.requestId).toBe(response.headers.get('x-request-id'))
      expect(answer?.error).toBeInstanceOf(TypeError)
    })

    test('a reply off its schema is a defect where replies are checked', async () => {
      expect((await call('GET', '/chain/off-schema')).status).toBe(500)
      expect(String(answers.at(-1)?.error)).toMatch(/off its schema/)
    })

    test('services that cannot be had are a 500, and routes are still known', async () => {
      const broken = createDispatcher(operations, {
        base: '/chain',
        services: () => Promise.reject(new Error('no database')),
        errors: chainErrors,
        authenticate: async () => ({ address: ALICE }),
      })
      const { send, close } = await serve(broken)
      expect((await send('/chain/thing/a')).status).toBe(500)
      expect((await send('/chain/none')).status).toBe(404)
      expect((await send('/chain/thing/a', { method: 'OPTIONS' })).status).toBe(204)
      await close()
    })
  })

  describe('headers', () => {
    test('every response has a unique id and may be read from any origin', async () => {
      const ids = new Set<string | null>()
      for (const [method, path] of [
        ['GET', '/chain/thing/a'],
        ['HEAD', '/chain/thing/a'],
        ['OPTIONS', '/chain/thing/a'],
        ['GET', '/chain/none'],
        ['PUT', '/chain/thing/a'],
        ['GET', '/chain/fail/defect'],
      ] as const) {
        const response = await call(method, path)
        ids.add(response.headers.get('x-request-id'))
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
        expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      }
      expect(ids.size).toBe(6)
      expect(ids.has(null)).toBe(false)
    })

    test('responses are not stored unless the operation allows it', async () => {
      expect((await call('GET', '/chain/thing/a')).headers.get('cache-control')).toBe('no-store')
      expect((await call('GET', '/chain/thing/fixed')).headers.get('cache-control')).toBe(
        'public, max-age=60',
      )
    })

    test('a body that is not JSON has its own type', async () => {
      const response = await call('GET', '/chain/text')
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      expect(await response.text()).toBe('data: 1\n\n')
    })
  })
})

test('an operation whose path and parameters differ is refused at once', () => {
  expect(() =>
    defineOperation({
      ...base,
      id: 'GET_odd',
      path: '/odd/{name}',
      request: { params: z.object({ other: z.string() }) },
      responses: { 200: { description: 'x' } },
      handler: async () => ({ status: 200 }),
    }),
  ).toThrow(/GET_odd/)
})
