import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOAuthDispatcher } from '#lib/features/agents/oauth/endpoint.ts'
import { createDevPanelDispatcher } from '#lib/features/dev-chain/panel.ts'
import { connections } from '#lib/server/http/connection.ts'
import { createHealthDispatcher } from '#lib/server/operations/health/probes.ts'
import { createSessionDispatcher } from '#lib/server/operations/session/dispatcher.ts'
import { createWorkerDispatcher } from '#lib/server/operations/worker/worker-step.ts'
import { SAME_ORIGIN, SITE, startApi, type TestApi } from '#test/support/api.ts'

/** Addresses of the site outside the APIs: the statuses, headers and bodies that clients of each rely on. */

const SECRET = 'a-secret-of-sixteen'
const TOKEN = 'a-token-for-scrapers'

let api: TestApi
let send: (request: Request) => Promise<Response>

beforeAll(async () => {
  api = await startApi('services', { cronSecret: SECRET, metricsToken: TOKEN })
  const services = async () => api.services
  const [session, oauth] = [createSessionDispatcher({ services }), createOAuthDispatcher({ services })]
  const [worker, health] = [createWorkerDispatcher({ services }), createHealthDispatcher({ services })]
  const panel = createDevPanelDispatcher({ services })
  send = (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/session')) return session(request)
    if (pathname === '/worker/step') return worker(request)
    if (/^\/(?:oauth|\.well-known)\//.test(pathname)) return oauth(request)
    if (!pathname.startsWith('/dev/')) return health(request)
    const here = { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', localPort: 3000 }
    return connections().run(here, () => panel(request))
  }
})
afterAll(() => api?.close())

/** Headers of a response; null for one that it must not have. */
type Headers = Readonly<Record<string, unknown>>

/** Status, headers and body of the answer, and what is sent. */
type Row = readonly [
  status: number,
  has: Headers,
  answers?: unknown,
  sent?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string },
]

const JSON_TYPE = 'application/json'
const TEXT = 'text/plain; charset=utf-8'
const PLAIN = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const OWN_PAGES = {
  ...PLAIN,
  vary: 'Cookie',
  'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
  'access-control-allow-origin': null,
  'access-control-allow-methods': null,
  'set-cookie': null,
  etag: null,
}
const ANY_ORIGIN = { ...PLAIN, 'access-control-allow-origin': '*', vary: null, etag: null }
const UNSHARED = { 'access-control-allow-origin': null, 'access-control-allow-methods': null, etag: null }

const OWN = { ...OWN_PAGES, 'content-type': JSON_TYPE }
const OPEN = { ...ANY_ORIGIN, 'content-type': JSON_TYPE }
const INNER = { ...PLAIN, ...UNSHARED, 'content-type': JSON_TYPE }
const NOTHING = { ...UNSHARED, 'content-type': null }
const here = { headers: SAME_ORIGIN }
const elsewhere = { origin: 'https://evil.example' }
const operator = { headers: { authorization: `Bearer ${SECRET}` } }
function challenge(realm: string) {
  return { 'www-authenticate': `Bearer realm="${realm}"` }
}

function some(fields: Record<string, unknown>) {
  return expect.objectContaining(fields)
}

function message(text: unknown) {
  return { message: text }
}

function oauthError(error: string, text: unknown) {
  return { error, error_description: text }
}

const ROWS: Readonly<Record<string, Row>> = {
  'GET /session': [200, OWN, { session: null }, here],
  'GET /session from elsewhere': [
    403,
    OWN,
    message('Only pages of this site may use its session; programs use the two APIs'),
    { headers: { ...elsewhere, 'sec-fetch-site': 'cross-site' } },
  ],
  'POST /session without a signature': [
    400,
    OWN,
    message('message: required; expected string'),
    { headers: { ...SAME_ORIGIN, 'content-type': JSON_TYPE }, body: '{}' },
  ],
  'PUT /session': [
    405,
    { ...OWN, allow: 'GET, POST, DELETE' },
    message('This path has no such method'),
    here,
  ],
  'OPTIONS /session': [
    405,
    { ...OWN_PAGES, allow: 'GET, POST, DELETE' },
    undefined,
    { headers: { ...elsewhere, 'access-control-request-method': 'POST' } },
  ],
  'GET /session/nothing': [404, OWN, message('There is nothing at this path'), here],
  'DELETE /session': [
    204,
    { ...OWN, 'content-type': null, 'set-cookie': expect.stringMatching(/^weft-session=; Max-Age=0/) },
    undefined,
    here,
  ],
  'DELETE /session/others': [401, OWN, message(expect.any(String)), here],
  'GET /session/network': [200, OWN, some({ site_origin: SITE, chain: null }), here],
  'GET /.well-known/oauth-authorization-server': [
    200,
    OPEN,
    some({ issuer: SITE, token_endpoint: `${SITE}/oauth/token` }),
  ],
  'GET /.well-known/oauth-protected-resource/mcp/account': [
    200,
    OPEN,
    some({ resource: `${SITE}/mcp/account` }),
  ],
  'OPTIONS /oauth/token': [
    204,
    {
      ...ANY_ORIGIN,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'Content-Type, Mcp-Protocol-Version',
      'access-control-max-age': '600',
      'content-type': null,
    },
    undefined,
    { headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' } },
  ],
  'GET /oauth/token': [
    405,
    { ...OPEN, allow: 'POST, OPTIONS' },
    oauthError('invalid_request', 'Use POST, OPTIONS'),
  ],
  'POST /oauth/token without a token': [
    400,
    OPEN,
    oauthError('invalid_request', 'refresh_token: required, once'),
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'grant_type=refresh_token' },
  ],
  'POST /oauth/token with an unknown one': [
    400,
    OPEN,
    oauthError('invalid_grant', 'The refresh token is unknown or has expired'),
    { body: 'grant_type=refresh_token&refresh_token=x' },
  ],
  'POST /oauth/token of great length': [
    413,
    OPEN,
    oauthError('invalid_request', 'The body is larger than 16384 bytes'),
    { body: 'x'.repeat(20_000) },
  ],
  'POST /oauth/register of no JSON': [
    400,
    OPEN,
    oauthError('invalid_request', expect.any(String)),
    { body: '{' },
  ],
  'POST /oauth/register': [
    201,
    OPEN,
    some({ client_name: 'bot', token_endpoint_auth_method: 'none' }),
    { body: JSON.stringify({ client_name: 'bot', redirect_uris: ['http://127.0.0.1:4321/callback'] }) },
  ],
  'POST /oauth/revoke of nothing': [200, OPEN, {}, { body: 'token=x' }],
  'POST /worker/step': [
    401,
    { ...INNER, ...challenge('worker') },
    message('Send the CRON_SECRET of this server as a bearer token'),
  ],
  'GET /worker/step?seconds=0': [
    400,
    INNER,
    message('seconds must be a whole number from 1 to 280'),
    operator,
  ],
  'GET /worker/step?seconds=1': [
    503,
    INNER,
    some({ done: false, problem: some({ code: 'no_chain' }) }),
    operator,
  ],
  'GET /healthz': [200, { ...INNER, vary: null }, { status: 'ok' }],
  'HEAD /healthz': [200, { ...INNER, 'content-type': null }],
  'POST /healthz': [405, { ...NOTHING, allow: 'GET, HEAD' }],
  'OPTIONS /status.json': [405, { allow: 'GET, HEAD', 'content-type': null }],
  'GET /readyz': [200, { ...INNER, vary: null }, some({ ready: true })],
  'GET /metrics': [
    401,
    { ...UNSHARED, 'cache-control': 'no-store', ...challenge('metrics'), 'content-type': TEXT },
    'The metrics of this server take its METRICS_TOKEN as a bearer token\n',
  ],
  'GET /metrics with its token': [
    200,
    {
      ...{ ...UNSHARED, vary: null, 'cache-control': 'no-store' },
      'content-type': expect.stringMatching(/^text\/plain; version=/),
    },
    expect.stringContaining('process_cpu_seconds_total'),
    { headers: { authorization: `Bearer ${TOKEN}`, 'accept-encoding': 'gzip' } },
  ],
  'GET /status.json': [
    200,
    {
      'cache-control': 'public, max-age=1',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': null,
      ...{ vary: 'Accept', etag: null, 'content-type': JSON_TYPE },
    },
    some({ status: 'degraded' }),
    { headers: { 'accept-encoding': 'gzip', 'if-none-match': '*' } },
  ],
  'POST /dev/chain/mine from elsewhere': [
    404,
    NOTHING,
    undefined,
    { headers: { ...elsewhere, accept: JSON_TYPE }, body: 'blocks=1' },
  ],
  'POST /dev/chain/mine without a chain': [
    404,
    NOTHING,
    undefined,
    { headers: { origin: SITE, accept: JSON_TYPE }, body: 'blocks=1' },
  ],
  'GET /nothing': [404, { 'content-type': null }],
}

test.each(Object.entries(ROWS))('%s', async (name, [status, has, answers, { headers = {}, body } = {}]) => {
  const [method = '', path = ''] = name.split(' ')
  const response = await send(new Request(SITE + path, { method, headers, body: body ?? null }))
  expect(response.status).toBe(status)
  const sent = Object.fromEntries(Object.keys(has).map((each) => [each, response.headers.get(each)]))
  expect(sent).toEqual(has)
  const text = await response.text()
  if (answers !== undefined)
    expect(
      typeof answers === 'object' && has['content-type'] === JSON_TYPE ? JSON.parse(text) : text,
    ).toEqual(answers)
  else if (method !== 'OPTIONS') expect(text).toBe('')
})
