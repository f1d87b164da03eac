import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { acceptsGzip } from '#lib/server/http/content-negotiation.ts'
import { type CompletedRequest, createDispatcher } from '#lib/server/http/dispatch.ts'
import { chainErrors, servicesErrors } from '#lib/server/http/errors.ts'
import { isNamed } from '#lib/server/http/etag.ts'
import { defineOperation, type Operation } from '#lib/server/http/operation.ts'
import { bareServices } from '#test/support/bare-services.ts'
import { bundleForm } from '#test/support/form.ts'
import { ADAPTERS, type Served } from './adapters.ts'

const facts = { api: 'chain', tag: 'core', summary: 'x', description: 'x', auth: 'none' } as const
const words = z.strictObject({ words: z.string() })
const ok = { 200: { description: 'x', schema: words } }
const long = 'weft '.repeat(1000)
/** Text of so many bytes; most of its letters have three. */
function wordsOf(bytes: number) {
  return '世'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3)
}
async function reply() {
  return { status: 200 as const, body: { words: long } }
}

function reading(
  id: `GET_${string}`,
  path: `/${string}`,
  more: Partial<Pick<Operation, 'limit' | 'auth' | 'cors'>>,
) {
  return defineOperation({
    ...{ ...facts, id, path, request: {}, responses: ok, handler: reply },
    ...more,
  })
}

const operations: Operation[] = [
  defineOperation({
    ...facts,
    id: 'GET_list',
    path: '/list',
    cache: 'no-cache',
    request: { query: z.object({ bytes: z.coerce.number().default(5000) }) },
    responses: ok,
    handler: async (_, { query }) => ({ status: 200, body: { words: wordsOf(query.bytes - 12) } }),
  }),
  reading('GET_nonce', '/nonce', { limit: 'signIn' }),
  reading('GET_own', '/own', { auth: 'session' }),
  reading('GET_challenge', '/challenge', { cors: 'session' }),
  defineOperation({
    ...facts,
    id: 'GET_stream',
    path: '/stream',
    cache: 'no-store, no-transform',
    request: {},
    responses: { 200: { description: 'x', contentType: 'text/event-stream' } },
    handler: async () => ({ status: 200, body: new Blob([long]).stream() }),
  }),
  defineOperation({
    ...facts,
    id: 'GET_module',
    path: '/module/{file}',
    cache: 'public, no-cache',
    request: { params: z.object({ file: z.string() }) },
    responses: { 200: { description: 'x', contentType: 'text/javascript', headers: { ETag: 'x' } } },
    handler: async () => ({ status: 200, headers: { ETag: '"strong"' }, body: long }),
  }),
  defineOperation({
    ...facts,
    id: 'POST_run',
    path: '/run',
    request: { body: words },
    responses: ok,
    handler: async (_, { body }) => ({ status: 200, body }),
  }),
  defineOperation({
    ...facts,
    id: 'POST_upload',
    path: '/upload',
    request: { file: { field: 'bundle', maxBytes: 1000, description: 'x' } },
    responses: { 204: { description: 'x' } },
    handler: async () => ({ status: 204 }),
  }),
  defineOperation({
    ...facts,
    id: 'GET_file',
    path: '/files/{path}',
    restParam: 'path',
    request: { params: z.object({ path: z.string() }), invalidParams: 'not_found' },
    responses: ok,
    handler: reply,
  }),
]

const observed: CompletedRequest[] = []
const options = {
  services: async () => bareServices(),
  authenticate: async () => ({ address: `0x${'a'.repeat(40)}` as const }),
  observe: (answer: CompletedRequest) => void observed.push(answer),
}
const chain = createDispatcher(operations, { base: '/chain', errors: chainErrors, ...options })
const services = createDispatcher(operations, { base: '/services', errors: servicesErrors, ...options })

describe.each(ADAPTERS)('served by %s', (adapter, serve) => {
  /** Next takes the coding off what its handlers answer: its platform compresses. */
  const gzip = adapter === 'web' ? null : 'gzip'
  let served: Served
  let people: Served
  beforeAll(async () => {
    served = await serve(chain)
    people = await serve(services)
  })
  afterAll(async () => {
    await served.close()
    await people.close()
  })

  /** Uncompressed by default: `fetch` requests gzip and decompresses automatically. */
  async function ask(
    path: string,
    headers: Record<string, string> = {},
    init: RequestInit = {},
    from = served,
  ) {
    const base = from === people ? '/services' : '/chain'
    const response = await from.send(`${base}${path}`, {
      ...init,
      headers: { 'accept-encoding': 'identity', ...headers },
    })
    const raw = Buffer.from(await response.arrayBuffer())
    const coding = response.headers.get('content-encoding')
    // Over a connection `fetch` has undone it already.
    const body = coding === 'gzip' && raw[0] === 0x1f ? gunzipSync(raw) : raw
    return { status: response.status, headers: response.headers, coding, body: body.toString(), raw }
  }

  const json = { 'content-type': 'application/json' }

  describe('ETags', () => {
    test('a storable response has one, and is a 304 when it matches', async () => {
      const { headers, body } = await ask('/list')
      const etag = headers.get('etag') ?? ''
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
      expect(headers.get('cache-control')).toBe('no-cache')
      expect(headers.get('access-control-expose-headers')).toBe(
        'X-Request-Id, X-Error-Code, Retry-After, ETag',
      )
      expect((await ask('/list?bytes=5003')).headers.get('etag')).not.toBe(etag)

      const bare = etag.slice(2)
      for (const names of [etag, bare, '*', ` ${etag} `, `"a", ${etag}`, `"a,b",${bare},W/"c"`]) {
        const unchanged = await ask('/list', { 'if-none-match': names })
        expect({ names, status: unchanged.status, body: unchanged.body }).toEqual({
          names,
          status: 304,
          body: '',
        })
        expect(unchanged.headers.get('etag')).toBe(etag)
        expect(unchanged.headers.get('cache-control')).toBe('no-cache')
        expect(unchanged.headers.get('vary')).toBe('Accept-Encoding')
        expect(unchanged.headers.get('content-type')).toBeNull()
        expect(unchanged.headers.get('content-encoding')).toBeNull()
        expect(unchanged.headers.get('access-control-allow-origin')).toBe('*')
        expect(unchanged.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
        expect(observed.at(-1)).toMatchObject({ operationId: 'GET_list', status: 304 })
      }
      for (const names of [
        '"other"',
        bare.slice(1, -1),
        `${etag}x`,
        `"${bare}"`,
        'W/',
        '',
        '"*"',
        `x${etag}`,
      ]) {
        const changed = await ask('/list', { 'if-none-match': names })
        expect([names, changed.status, changed.body]).toEqual([names, 200, body])
      }
    })

    test('the ETag of an operation is sent, weak once the body is compressed', async () => {
      const plain = await ask('/module/a.js')
      expect(plain.headers.get('etag')).toBe('"strong"')
      expect((await ask('/module/a.js', { 'accept-encoding': 'gzip' })).headers.get('etag')).toBe(
        gzip ? 'W/"strong"' : '"strong"',
      )
      expect(plain.headers.get('access-control-expose-headers')).toBe(
        'X-Request-Id, X-Error-Code, Retry-After, ETag',
      )
      for (const names of ['W/"strong"', '"strong"', '*', '"a", W/"strong"'])
        expect((await ask('/module/a.js', { 'if-none-match': names })).status).toBe(304)
    })
  })

  describe('gzip', () => {
    test('for more than a kibibyte, where the client takes it', async () => {
      const plain = await ask('/list')
      expect([plain.coding, plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
      expect(plain.headers.get('content-length') ?? '5000').toBe('5000')
      for (const accepted of ['gzip', 'br, gzip;q=0.5', 'GZIP', '*', 'deflate, gzip;q=1.0, *;q=0']) {
        const small = await ask('/list', { 'accept-encoding': accepted })
        expect([accepted, small.coding, small.body]).toEqual([accepted, gzip, plain.body])
        expect(small.headers.get('vary')).toBe('Accept-Encoding')
        expect(small.headers.get('etag')).toBe(plain.headers.get('etag'))
        if (gzip) expect(Number(small.headers.get('content-length'))).toBeLessThan(1000)
      }
      for (const accepted of [
        'identity',
        'br',
        'gzip;q=0',
        'gzip; q=0.0, br',
        'xgzip',
        'identity, gzip;q=0.5',
      ]) {
        expect([accepted, (await ask('/list', { 'accept-encoding': accepted })).coding]).toEqual([
          accepted,
          null,
        ])
      }
      const unchanged = await ask('/list', { 'accept-encoding': 'gzip', 'if-none-match': '*' })
      expect([unchanged.status, unchanged.coding, unchanged.body]).toEqual([304, null, ''])
    })

    test('not for less, nor for what is sent sooner than compressed', async () => {
      for (const [bytes, coding] of [
        [1024, null],
        [1025, gzip],
        [1024 * 1024, gzip],
        [1024 * 1024 + 1, null],
      ]) {
        const answer = await ask(`/list?bytes=${bytes}`, { 'accept-encoding': 'gzip' })
        expect([bytes, Buffer.byteLength(answer.body), answer.coding]).toEqual([bytes, bytes, coding])
      }
    })

    test('not for what belongs to a session or to signing in, and not for streams', async () => {
      for (const path of ['/nonce', '/own', '/challenge', '/stream']) {
        const answer = await ask(path, { 'accept-encoding': 'gzip' })
        expect([path, answer.status, answer.coding]).toEqual([path, 200, null])
        expect(answer.headers.get('vary') ?? '').not.toContain('Accept-Encoding')
      }
    })
  })

  describe('a body with a Content-Encoding is a 415 that names the accepted encoding', () => {
    test.each(['/run', '/upload'])('%s', async (path) => {
      const form = await bundleForm(new Uint8Array(10))
      const { body, headers } = path === '/run' ? { body: '{"words":"a"}', headers: json } : form
      const post = (coding: string, from: Served) =>
        ask(path, { ...headers, 'content-encoding': coding }, { method: 'POST', body }, from)
      for (const coding of ['gzip', 'br', 'identity, gzip', 'x']) {
        const refused = await post(coding, served)
        expect([coding, refused.status, refused.headers.get('accept-encoding')]).toEqual([
          coding,
          415,
          'identity',
        ])
        expect(JSON.parse(refused.body)).toEqual({ message: expect.stringContaining('Content-Encoding') })
        const bare = await post(coding, people)
        expect([bare.status, bare.body, bare.headers.get('content-type')]).toEqual([415, '', null])
      }
      expect((await post('identity', served)).status).toBeLessThan(300)
    })

    test('without a body it means nothing', async () => {
      expect((await ask('/list', { 'content-encoding': 'gzip' })).status).toBe(200)
    })
  })

  describe('a slash at the end', () => {
    test('changes nothing where the operation exists', async () => {
      expect((await ask('/list/?bytes=2003')).body).toBe((await ask('/list?bytes=2003')).body)
      expect((await ask('/module/a.js/')).status).toBe(200)
      expect((await ask('/run/', json, { method: 'POST', body: '{"words":"a"}' })).status).toBe(200)
      const preflight = { method: 'OPTIONS' }
      expect((await ask('/run/', { 'access-control-request-method': 'POST' }, preflight)).status).toBe(204)
    })

    test.each([
      ['GET', '/run/'],
      ['GET', '/nothing/'],
      ['GET', '/list//'],
      ['GET', '/module/'],
      ['GET', '//'],
      ['GET', '/files/a/'],
      ['OPTIONS', '/run/'],
      ['DELETE', '/list/'],
    ])('%s %s is still nothing', async (method, path) => {
      expect((await ask(path, {}, { method })).status).toBe(404)
    })
  })
})

test.each([
  [null, false],
  ['', false],
  ['gzip', true],
  ['x-gzip', true],
  ['*;q=0.1', true],
  ['gzip;q=0, *', false],
  ['gzip;q=0.4, identity;q=0.5', false],
  ['gzip;q=x', false],
  ['gzip ; q=0.001', true],
  [',;,=;q', false],
])('Accept-Encoding %j: %s', (header, gzip) => {
  expect(acceptsGzip(header)).toBe(gzip)
})

test('a long If-None-Match is read in one pass', () => {
  const before = process.threadCpuUsage()
  for (const unit of ['"', ',', ' ', 'W/', '"a",', ', "']) isNamed(unit.repeat(16_000 / unit.length), '"x"')
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(500)
})
