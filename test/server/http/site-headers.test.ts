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

interface Row {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
  /** Headers of the response; null for one that it must not have. */
  readonly has: Readonly<Record<string, string | null>>
  readonly answers?: unknown
}

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

function message(text: unknown) {
  return { message: text }
}

function oauthError(error: string, text: unknown) {
  return { error, error_description: text }
}

const ROWS: Readonly<Record<string, Row>> = {
  'GET /session': {
    headers: SAME_ORIGIN,
    status: 200,
    has: { ...OWN_PAGES, 'content-type': JSON_TYPE },
    answers: { session: null },
  },
  'GET /session from elsewhere': {
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    status: 403,
    has: { ...OWN_PAGES, 'content-type': JSON_TYPE },
    answers: message('Only pages of this site may use its session; programs use the two APIs'),
  },
  'POST /session without a signature': {
    ...{ headers: { ...SAME_ORIGIN, 'content-type': JSON_TYPE }, body: '{}' },
    status: 400,
    has: { ...OWN_PAGES, 'content-type': JSON_TYPE },
    answers: message('message: required; expected string'),
  },
  'PUT /session': {
    headers: SAME_ORIGIN,
    status: 405,
    has: { ...OWN_PAGES, allow: 'GET, POST, DELETE', 'content-type': JSON_TYPE },
    answers: message('This path has no such method'),
  },
  'OPTIONS /session': {
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    status: 405,
    has: { ...OWN_PAGES, allow: 'GET, POST, DELETE' },
  },
  'GET /session/nothing': {
    headers: SAME_ORIGIN,
    status: 404,
    has: { ...OWN_PAGES, 'content-type': JSON_TYPE },
    answers: message('There is nothing at this path'),
  },
  'DELETE /session': {
    headers: SAME_ORIGIN,
    status: 204,
    has: {
      ...OWN_PAGES,
      'content-type': null,
      'set-cookie': expect.stringMatching(/^weft-session=; Max-Age=0/),
    },
  },
  'DELETE /session/others': {
    headers: SAME_ORIGIN,
    status: 401,
    has: { ...OWN_PAGES, 'content-type': JSON_TYPE },
    answers: message(expect.any(String)),
  },
  'GET /session/network': {
    headers: SAME_ORIGIN,
    status: 200,
    has: { ...OWN_PAGES, 'content-type': JSON_TYPE },
    answers: expect.objectContaining({ site_origin: SITE, chain: null }),
  },
  'GET /.well-known/oauth-authorization-server': {
    status: 200,
    has: { ...ANY_ORIGIN, 'content-type': JSON_TYPE },
    answers: expect.objectContaining({ issuer: SITE, token_endpoint: `${SITE}/oauth/token` }),
  },
  'GET /.well-known/oauth-protected-resource/mcp/account': {
    status: 200,
    has: { ...ANY_ORIGIN, 'content-type': JSON_TYPE },
    answers: expect.objectContaining({ resource: `${SITE}/mcp/account` }),
  },
  'OPTIONS /oauth/token': {
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    status: 204,
    has: {
      ...ANY_ORIGIN,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'Content-Type, Mcp-Protocol-Version',
      'access-control-max-age': '600',
      'content-type': null,
    },
  },
  'GET /oauth/token': {
    status: 405,
    has: { ...ANY_ORIGIN, allow: 'POST, OPTIONS', 'content-type': JSON_TYPE },
    answers: oauthError('invalid_request', 'Use POST, OPTIONS'),
  },
  'POST /oauth/token without a token': {
    ...{ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'grant_type=refresh_token' },
    status: 400,
    has: { ...ANY_ORIGIN, 'content-type': JSON_TYPE },
    answers: oauthError('invalid_request', 'refresh_token: required, once'),
  },
  'POST /oauth/token with an unknown one': {
    body: 'grant_type=refresh_token&refresh_token=x',
    status: 400,
    has: { ...ANY_ORIGIN, 'content-type': JSON_TYPE },
    answers: oauthError('invalid_grant', 'The refresh token is unknown or has expired'),
  },
  'POST /oauth/token of great length': {
    body: 'x'.repeat(20_000),
    status: 413,
    has: { ...ANY_ORIGIN, 'content-type': JSON_TYPE },
    answers: oauthError('invalid_request', 'The body is larger than 16384 bytes'),
  },
  'POST /oauth/register of no JSON': {
    body: '{',
    status: 400,
    has: { ...ANY_ORIGIN, 'content-type': JSON_TYPE },
    answers: oauthError('invalid_request', expect.any(String)),
  },
  'POST /oauth/register': {
    body: JSON.stringify({ client_name: 'bot', redirect_uris: ['http://127.0.0.1:4321/callback'] }),
    status: 201,
    has: { ...ANY_ORIGIN, 'content-type': JSON_TYPE },
    answers: expect.objectContaining({ client_name: 'bot', token_endpoint_auth_method: 'none' }),
  },
  'POST /oauth/revoke of nothing': {
    body: 'token=x',
    status: 200,
    has: { ...ANY_ORIGIN, 'content-type': JSON_TYPE },
    answers: {},
  },
  'POST /worker/step': {
    status: 401,
    has: { ...PLAIN, ...UNSHARED, 'www-authenticate': 'Bearer realm="worker"', 'content-type': JSON_TYPE },
    answers: message('Send the CRON_SECRET of this server as a bearer token'),
  },
  'GET /worker/step?seconds=0': {
    headers: { authorization: `Bearer ${SECRET}` },
    status: 400,
    has: { ...PLAIN, ...UNSHARED, 'content-type': JSON_TYPE },
    answers: message('seconds must be a whole number from 1 to 280'),
  },
  'GET /worker/step?seconds=1': {
    headers: { authorization: `Bearer ${SECRET}` },
    status: 503,
    has: { ...PLAIN, ...UNSHARED, 'content-type': JSON_TYPE },
    answers: expect.objectContaining({ done: false, problem: expect.objectContaining({ code: 'no_chain' }) }),
  },
  'GET /healthz': {
    status: 200,
    has: { ...PLAIN, ...UNSHARED, vary: null, 'content-type': JSON_TYPE },
    answers: { status: 'ok' },
  },
  'HEAD /healthz': {
    status: 200,
    has: { ...PLAIN, ...UNSHARED, 'content-type': null },
  },
  'POST /healthz': {
    status: 405,
    has: { ...UNSHARED, allow: 'GET, HEAD', 'content-type': null },
  },
  'OPTIONS /status.json': {
    status: 405,
    has: { allow: 'GET, HEAD', 'content-type': null },
  },
  'GET /readyz': {
    status: 200,
    has: { ...PLAIN, ...UNSHARED, vary: null, 'content-type': JSON_TYPE },
    answers: expect.objectContaining({ ready: true }),
  },
  'GET /metrics': {
    status: 401,
    has: {
      ...UNSHARED,
      'cache-control': 'no-store',
      'www-authenticate': 'Bearer realm="metrics"',
      'content-type': TEXT,
    },
    answers: 'The metrics of this server take its METRICS_TOKEN as a bearer token\n',
  },
  'GET /metrics with its token': {
    headers: { authorization: `Bearer ${TOKEN}`, 'accept-encoding': 'gzip' },
    status: 200,
    has: {
      ...UNSHARED,
      vary: null,
      'cache-control': 'no-store',
      'content-type': expect.stringMatching(/^text\/plain; version=/),
    },
    answers: expect.stringContaining('process_cpu_seconds_total'),
  },
  'GET /status.json': {
    headers: { 'accept-encoding': 'gzip', 'if-none-match': '*' },
    status: 200,
    has: {
      'cache-control': 'public, max-age=1',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': null,
      vary: 'Accept',
      etag: null,
      'content-type': JSON_TYPE,
    },
    answers: expect.objectContaining({ status: 'degraded' }),
  },
  'POST /dev/chain/mine from elsewhere': {
    headers: { origin: 'https://evil.example', accept: JSON_TYPE },
    body: 'blocks=1',
    status: 404,
    has: { ...UNSHARED, 'content-type': null },
  },
  'POST /dev/chain/mine without a chain': {
    ...{ headers: { origin: SITE, accept: JSON_TYPE }, body: 'blocks=1' },
    status: 404,
    has: { ...UNSHARED, 'content-type': null },
  },
  'GET /nothing': { status: 404, has: { 'content-type': null } },
}

test.each(Object.entries(ROWS))('%s', async (name, { headers = {}, body, status, has, answers }) => {
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
