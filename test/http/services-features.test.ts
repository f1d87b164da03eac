import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Failure } from '../../lib/protocol/failure.ts'
import { createDispatcher } from '../../lib/server/http/dispatch.ts'
import { servicesErrors } from '../../lib/server/http/errors.ts'
import { defineOperation } from '../../lib/server/http/operation.ts'
import { bareServices } from '../support/bare-services.ts'
import { testConfig } from '../support/config.ts'
import { bundleForm, encodeForm } from '../support/form.ts'
import { ADAPTERS, type Served } from './adapters.ts'

const LIMIT = 100_000
const facts = { api: 'services', tag: 't', summary: 's', description: 'd' } as const
const SITE = 'https://weft.example'

const operations = [
  defineOperation({
    ...facts,
    id: 'POST_upload',
    method: 'POST',
    path: '/upload',
    auth: 'none',
    errors: 'text',
    request: { file: { field: 'bundle', maxBytes: LIMIT, description: 'x' } },
    responses: { 200: { description: 'x', schema: z.object({ bytes: z.number() }) } },
    failures: { 400: 'bad' },
    handler: async (_, { file }) => ({ status: 200, body: { bytes: file.byteLength } }),
  }),
  defineOperation({
    ...facts,
    id: 'GET_asset',
    method: 'GET',
    path: '/assets/{id}/{path}',
    restParam: 'path',
    auth: 'none',
    request: {
      params: z.object({ id: z.string(), path: z.string() }),
      invalidParams: 'not_found',
      headers: z.object({ range: z.string().optional() }),
    },
    responses: { 200: { description: 'x', contentType: 'application/octet-stream' } },
    handler: async (_, { params, headers }) => ({
      status: 200,
      headers: { 'Content-Type': 'text/css' },
      body: `${params.id}|${params.path}|${headers.range ?? ''}`,
    }),
  }),
  defineOperation({
    ...facts,
    id: 'HEAD_asset',
    method: 'HEAD',
    path: '/assets/{id}/{path}',
    restParam: 'path',
    auth: 'none',
    request: { params: z.object({ id: z.string(), path: z.string() }) },
    responses: { 200: { description: 'x', contentType: 'application/octet-stream' } },
    handler: async () => ({
      status: 200,
      headers: { 'Content-Type': 'text/css', 'Content-Length': '7' },
      body: null,
    }),
  }),
  defineOperation({
    ...facts,
    id: 'GET_profile',
    method: 'GET',
    path: '/profile',
    auth: 'none',
    request: {},
    responses: { 200: { description: 'x' } },
    handler: async () => ({ status: 200 }),
  }),
  defineOperation({
    ...facts,
    id: 'PATCH_profile',
    method: 'PATCH',
    path: '/profile',
    auth: 'session',
    request: {},
    responses: { 200: { description: 'x' } },
    handler: async () => ({ status: 200 }),
  }),
]

const services = bareServices({ config: testConfig({ allowedOrigins: [SITE] }) })

const dispatch = createDispatcher(operations, {
  base: '/services',
  services: async () => services,
  errors: servicesErrors,
  authenticate: async () => {
    throw new Failure('unauthenticated', 'no')
  },
})

describe.each(ADAPTERS)('served by %s', (adapter, serve) => {
  /** What only a test's own stream shows; over a connection see `uploads.test.ts`. */
  const unbuffered = test.runIf(adapter === 'web')
  let served: Served
  beforeAll(async () => {
    served = await serve(dispatch)
  })
  afterAll(() => served.close())

  const call = (method: string, path: string, init: RequestInit = {}) =>
    served.send(`/services${path}`, { method, ...init })

  const form = (bytes: number, field?: string) => bundleForm(new Uint8Array(bytes), field)

  const upload = (init: RequestInit) => call('POST', '/upload', init)

  describe('a file in a form', () => {
    test('arrives whole up to the limit; one byte more is 413 with the limit in words', async () => {
      for (const bytes of [0, 1, LIMIT]) {
        expect(await (await upload(await form(bytes))).json()).toEqual({ bytes })
      }
      const answer = await upload(await form(LIMIT + 1))
      expect(answer.status).toBe(413)
      expect(await answer.text()).toBe(`The file is larger than ${LIMIT} bytes`)
    })

    unbuffered('an announced length over the limit is 413 before a byte is read', async () => {
      let pulls = 0
      const body = new ReadableStream({ pull: () => void pulls++ }, { highWaterMark: 0 })
      const headers = {
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': String(LIMIT * 2),
      }
      expect((await upload({ body, headers, duplex: 'half' } as RequestInit)).status).toBe(413)
      expect(pulls).toBe(0)
    })

    unbuffered('a length that lies does not help: reading stops soon after the limit', async () => {
      let sent = 0
      const head = new TextEncoder().encode(
        '--b\r\nContent-Disposition: form-data; name="bundle"; filename="x"\r\n\r\n',
      )
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(sent === 0 ? head : new Uint8Array(10_000))
          sent += 10_000
        },
      })
      const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '10' }
      expect((await upload({ body, headers, duplex: 'half' } as RequestInit)).status).toBe(413)
      expect(sent).toBeLessThan(LIMIT * 2)
    })

    unbuffered('endless other parts are 413 or 400, too', async () => {
      let sent = 0
      const part = new TextEncoder().encode(
        '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\nhello\r\n',
      )
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(part)
          sent += part.byteLength
        },
      })
      const headers = { 'content-type': 'multipart/form-data; boundary=b' }
      const { status } = await upload({ body, headers, duplex: 'half' } as RequestInit)
      expect([400, 413]).toContain(status)
      expect(sent).toBeLessThan(LIMIT * 2)
    })

    test.each([
      ['no body', {}],
      ['JSON', { body: '{}', headers: { 'content-type': 'application/json' } }],
      ['no boundary', { body: 'x', headers: { 'content-type': 'multipart/form-data' } }],
      [
        'another boundary',
        { body: '--c\r\n', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
      ],
      [
        'a part that breaks off',
        {
          body: '--b\r\nContent-Disposition: form-data; name="bundle"; filename="x"\r\n\r\nabc',
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
        },
      ],
    ] as [string, RequestInit][])('%s is 400 and says so', async (_, init) => {
      const answer = await upload(init)
      expect(answer.status).toBe(400)
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(await answer.text()).toMatch(/bundle|form/)
    })

    test('a file in another field is 400', async () => {
      expect((await upload(await form(3, 'file'))).status).toBe(400)
    })

    test('the same field twice is 400', async () => {
      const data = new FormData()
      for (const text of ['a', 'b']) data.append('bundle', new Blob([text]), 'b.zip')
      expect((await upload(await encodeForm(data))).status).toBe(400)
    })
  })

  describe('a path that takes the rest', () => {
    test('decodes each segment and joins them', async () => {
      const answer = await call('GET', '/assets/w1/a%20b/c.css', { headers: { range: 'bytes=0-1' } })
      expect(await answer.text()).toBe('w1|a b/c.css|bytes=0-1')
      expect(answer.headers.get('content-type')).toBe('text/css')
    })

    test.each(['/assets/w1', '/assets/w1/', '/assets/w1/a//b', '/assets/w1/a%2Fb', '/assets/w1/%ff'])(
      '%s is 404',
      async (path) => {
        const answer = await call('GET', path)
        expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([
          404,
          '',
          null,
        ])
      },
    )

    test('HEAD returns the type and length that the operation names', async () => {
      const { headers } = await call('HEAD', '/assets/w1/a.css')
      expect([headers.get('content-type'), headers.get('content-length')]).toEqual(['text/css', '7'])
    })
  })

  describe('origins that may read', () => {
    const allowed = async (method: string, origin: string, asked?: string) => {
      const headers = { origin, ...(asked && { 'access-control-request-method': asked }) }
      return (await call(method, '/profile', { headers })).headers.get('access-control-allow-origin')
    }

    test('a public GET answers every origin, a session verb on the same path the configured ones', async () => {
      expect(await allowed('GET', 'https://other.example')).toBe('*')
      expect(await allowed('PATCH', 'https://other.example')).toBeNull()
      expect(await allowed('PATCH', SITE)).toBe(SITE)
      expect(await allowed('OPTIONS', 'https://other.example', 'GET')).toBe('*')
      expect(await allowed('OPTIONS', 'https://other.example', 'PATCH')).toBeNull()
      expect(await allowed('OPTIONS', SITE, 'PATCH')).toBe(SITE)
    })

    test('responses that depend on the origin vary by it', async () => {
      expect((await call('PATCH', '/profile')).headers.get('vary')).toBe('Origin')
      expect((await call('GET', '/profile')).headers.get('vary')).toBeNull()
    })
  })
})
