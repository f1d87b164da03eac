import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { jsonRead } from '#lib/views/site-read.ts'
import { SITE, startApi, type TestApi } from '#test/support/api.ts'

/** Addresses of the site that read: documents, files, pictures, data of pages. */

let api: TestApi

beforeAll(async () => {
  api = await startApi('services')
})
afterAll(() => api?.close())
beforeEach(() => vi.stubGlobal('weftServices', Promise.resolve(api.services)))

type Params = Readonly<Record<string, string | readonly string[]>>

/** The answer of a route file below `app`, which gets no parameters from Next where its path has none. */
async function answer(
  route: string,
  { params, query = '', headers = {} }: { params?: Params; query?: string; headers?: HeadersInit } = {},
): Promise<Response> {
  const { GET } = (await import(/* @vite-ignore */ `../../../app/${route}/route.ts`)) as {
    GET(request: Request, matched: { params: Promise<Params | undefined> }): Promise<Response>
  }
  return GET(new Request(`${SITE}/${query}`, { headers }), { params: Promise.resolve(params) })
}

const JSON_TYPE = 'application/json'
const TEXT = 'text/plain; charset=utf-8'
const UNSHARED = { 'access-control-allow-origin': null, 'x-content-type-options': 'nosniff' }
const SHARED = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }
const ROBOTS = { ...UNSHARED, 'content-type': TEXT, 'cache-control': 'public, max-age=60' }
const DATA = { ...UNSHARED, 'content-type': JSON_TYPE, 'cache-control': 'no-store', etag: null }
const DUO = { params: { name: 'duo' } }

test.each<
  [
    string,
    Parameters<typeof answer>[1],
    { status: number; has: Readonly<Record<string, unknown>>; body: unknown },
  ]
>([
  ['robots.txt', {}, { status: 200, has: ROBOTS, body: expect.stringContaining(`Sitemap: ${SITE}/sitemap`) }],
  [
    'markdown/[...slug]',
    { params: { slug: ['self-hosting', 'nothing'] } },
    { status: 404, has: { ...UNSHARED, 'content-type': TEXT }, body: 'There is no such page.\n' },
  ],
  [
    'markdown/[...slug]',
    { params: { slug: 'index' } },
    {
      status: 200,
      has: { 'content-type': 'text/markdown; charset=utf-8', link: '</docs>; rel="canonical"' },
      body: expect.stringMatching(/^# /),
    },
  ],
  ['(site)/worlds/gallery/tiles', {}, { status: 200, has: DATA, body: { tiles: [] } }],
  ['(site)/search/suggestions', { query: '?q=a' }, { status: 200, has: DATA, body: { suggestions: [] } }],
  [
    '(site)/worlds/gallery/opened',
    { query: '?id=wld_none' },
    { status: 404, has: DATA, body: { message: 'There is no such thing' } },
  ],
  [
    '(site)/worlds/[slug]/[connector]',
    { params: { slug: 'cloth', connector: 'a b' } },
    { status: 307, has: { location: '/worlds/cloth?connector=a+b', 'content-type': null }, body: '' },
  ],
  [
    '(site)/worlds/[slug]/source/file',
    { params: { slug: 'cloth' }, query: '?path=../x' },
    { status: 404, has: { ...UNSHARED, 'content-type': TEXT }, body: 'There is no such thing\n' },
  ],
  [
    '(site)/run/[name]/image',
    { ...DUO, query: '?count=x' },
    { status: 400, has: { 'content-type': TEXT }, body: expect.stringContaining('count is “x”') },
  ],
  [
    'pictures/[kind]/[file]',
    { params: { kind: 'connector', file: 'none.png' } },
    { status: 404, has: { 'content-type': TEXT }, body: 'There is no such picture\n' },
  ],
  [
    '(site)/run/[name]/certificate',
    { ...DUO, query: '?count=x' },
    { status: 400, has: { ...SHARED, 'content-type': TEXT }, body: expect.stringContaining('count is “x”') },
  ],
  [
    '(site)/run/[name]/certificate',
    DUO,
    {
      status: 503,
      has: { ...SHARED, 'retry-after': '2', 'cache-control': 'no-store' },
      body: 'There are no certificates: no chain is configured on this server\n',
    },
  ],
  [
    'oembed',
    { query: `?url=${SITE}/connectors/none` },
    {
      status: 404,
      has: { ...SHARED, 'content-type': JSON_TYPE },
      body: { message: 'There is nothing to embed at this address.' },
    },
  ],
  ['oembed', {}, { status: 400, has: SHARED, body: { message: expect.stringContaining('Send url') } }],
  [
    'oembed',
    { query: '?format=xml' },
    { status: 501, has: SHARED, body: { message: 'The format is json.' } },
  ],
])('%s %j', async (route, sent, { status, has, body }) => {
  const response = await answer(route, sent)
  expect(response.status).toBe(status)
  expect(Object.fromEntries(Object.keys(has).map((name) => [name, response.headers.get(name)]))).toEqual(has)
  const text = await response.text()
  expect(response.headers.get('content-type') === JSON_TYPE ? JSON.parse(text) : text).toEqual(body)
})

test('what a client has already is a 304', async () => {
  const etag = (await answer('robots.txt')).headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/"/)
  const again = await answer('robots.txt', { headers: { 'if-none-match': etag } })
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
})

test('a browser stores for a minute what lasts, and nothing of what a busy server left out', async () => {
  const lasting = jsonRead(
    '/some',
    async (_, { search }) => ({ whole: search.has('whole') }),
    ({ whole }) => whole,
  )
  const caches = (query: string) =>
    lasting.GET(new Request(`${SITE}/some${query}`), { params: Promise.resolve(undefined) })
  expect((await caches('?whole')).headers.get('cache-control')).toBe('private, max-age=60')
  const busy = await caches('')
  expect([busy.status, busy.headers.get('cache-control'), await busy.json()]).toEqual([
    200,
    'no-store',
    { whole: false },
  ])
})

test.each(['feed.xml', '(site)/worlds/gallery/tiles'])(
  '%s is a 503 while the database or a store cannot be read, and a logged 500 by a defect',
  async (route) => {
    for (const code of ['CONNECTION_CLOSED', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET']) {
      const cause = Object.assign(new Error('gone'), { code })
      const response = await failing(route, new TypeError('fetch failed', { cause }))
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30'])
      expect(await response.text()).toContain('The network cannot be read right now')
    }
    const logs = vi.spyOn(api.services.log, 'error')
    const defect = new TypeError('rows is undefined')
    expect((await failing(route, defect)).status).toBe(500)
    expect(logs.mock.calls).toEqual([[expect.objectContaining({ err: defect }), 'request failed']])
    logs.mockRestore()
  },
)

/** The answer of a route while each statement fails. */
function failing(route: string, error: Error): Promise<Response> {
  const sql = () => {
    const failed = Promise.reject(error)
    // Parts of statements are awaited by none.
    failed.catch(() => undefined)
    return failed
  }
  const db = new Proxy(api.services.db, {
    get: (own, name) => (name === 'sql' ? sql : Reflect.get(own, name)),
  })
  vi.stubGlobal('weftServices', Promise.resolve({ ...api.services, db }))
  return answer(route)
}

test('responses are written by the dispatcher, MCP, and what stands before both', () => {
  // Those that only parse a body are no responses.
  const writes = /\bnew Response\((?!.*\)\.(?:text|formData)\(\))|\bResponse\.json\(|\.writeHead\(/
  const files = [
    ...globSync(['app/**/*.{ts,tsx}', 'lib/{core,features,server,views}/**/*.{ts,tsx}', 'worker/*.ts']),
    ...globSync(['proxy.ts', 'scripts/site.ts', 'scripts/site/*.ts']),
  ]
  expect(files.filter((file) => writes.test(readFileSync(file, 'utf8'))).toSorted()).toEqual([
    'lib/server/http/node-adapter.ts',
    'lib/server/http/node-request.ts',
    'lib/server/http/web-adapter.ts',
    'lib/server/mcp/endpoint.ts',
    'scripts/site.ts',
    'scripts/site/page-limits.ts',
  ])
})
