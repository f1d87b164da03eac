import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Address } from '#lib/protocol/entity.ts'
import type { Operation } from '#lib/server/http/operation.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { servicesOperations } from '#lib/server/operations/services/index.ts'
import { createSessionDispatcher } from '#lib/server/operations/session/dispatcher.ts'
import { sessionOperations } from '#lib/server/operations/session/operations.ts'
import { createStudioDispatcher } from '#lib/server/operations/studio/dispatcher.ts'
import { studioOperations } from '#lib/server/operations/studio/index.ts'
import { challengeFor, newWallet } from '#test/server/services/people.ts'
import { SAME_ORIGIN, SITE, startApi, type TestApi } from '#test/support/api.ts'

/*
 * A cross-site page that makes a signed-in browser send requests: the cookie is sent without the user's knowledge.
 * Every operation that authenticates by the cookie is tried with everything such a page can do.
 */

const BASES = { chain: '/chain', services: '/services', studio: '/studio/api', site: '' }
const EVIL = 'https://evil.example'

/** Headers of browsers on a cross-site request, and those that old ones or tools omit. */
const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'another origin': { origin: EVIL, 'sec-fetch-site': 'cross-site' },
  'another origin, in a browser that says no more': { origin: EVIL },
  'an origin that begins like ours': { origin: `${SITE}.evil.example`, referer: `${SITE}/` },
  'a link or a picture elsewhere': { 'sec-fetch-site': 'cross-site', referer: `${EVIL}/` },
  'another name of the same domain': {
    origin: 'http://worlds.localhost:3000',
    'sec-fetch-site': 'same-site',
  },
  'a sandboxed frame': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'a sandboxed frame that claims to be ours': { origin: 'null', 'sec-fetch-site': 'same-origin' },
  'a page under a name of its own that leads here': {
    origin: EVIL,
    'sec-fetch-site': 'same-origin',
    host: 'localhost:3000',
  },
  'an address that was typed in': { 'sec-fetch-site': 'none' },
  'a neighbour that names us': { 'sec-fetch-site': 'same-site', origin: SITE },
  'another port, in an old browser': { origin: 'http://localhost:3001' },
  'another scheme': { origin: 'https://localhost:3000' },
  'a sandboxed page of an old browser': { origin: 'null' },
  'a referrer of another site': { referer: `${EVIL}/?${SITE}` },
  'a referrer that hides': { referer: 'about:blank' },
  'an odd value': { 'sec-fetch-site': 'SAME-ORIGIN', origin: SITE },
  'two values': { 'sec-fetch-site': 'same-origin, cross-site', origin: SITE },
  'two origins': { 'sec-fetch-site': 'same-origin', origin: `${SITE}, ${EVIL}` },
  'two origins of an old browser': { origin: `${SITE}, ${SITE}` },
  'an origin without a host, and none named': {
    'sec-fetch-site': 'same-origin',
    origin: 'file://',
    host: '',
  },
  'nothing at all': {},
}

const operations: readonly Operation[] = [
  ...chainOperations,
  ...servicesOperations,
  ...studioOperations,
  ...sessionOperations,
]
const known = operations.filter(({ auth, api }) => auth !== 'none' || api === 'studio' || api === 'site')

let api: TestApi
let site: (request: Request) => Promise<Response>
let cookie: string
const wallet = newWallet()

beforeAll(async () => {
  // A chain that is never called: publishing is offered where a chain is configured.
  const contract = `0x${'1'.repeat(40)}` as const
  const chain = { chainId: 31_337, registryAddress: contract, runnerAddress: contract }
  // An administrator: no operation refuses the caller for another reason.
  const adminAddresses = [wallet.address.toLowerCase() as Address]
  api = await startApi('services', { chainRpcUrl: 'http://127.0.0.1:9', ...chain, adminAddresses })
  const options = { services: async () => api.services }
  const parts = new Map<string, (request: Request) => Promise<Response>>([
    ['chain', createChainDispatcher(options)],
    ['services', createServicesDispatcher(options)],
    ['studio', createStudioDispatcher(options)],
    ['session', createSessionDispatcher(options)],
  ])
  site = (request) => parts.get(new URL(request.url).pathname.split('/')[1] ?? '')!(request)
  cookie = await signIn()
})
afterAll(() => api?.close())

/** The cookie of a session with access to everything. */
async function signIn(): Promise<string> {
  const message = await challengeFor(api, wallet.address)
  const first = await send('POST', '/session', SAME_ORIGIN, '', {
    message,
    signature: await wallet.signMessage({ message }),
  })
  expect(first.status).toBe(200)
  return cookieOf(first)
}

function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split('; ')[0] ?? ''
}

function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  sent = '',
  json?: unknown,
): Promise<Response> {
  const carries = method !== 'GET' && method !== 'HEAD'
  return site(
    new Request(`${SITE}${path}`, {
      method,
      headers: {
        host: 'localhost:3000',
        ...(sent !== '' && { cookie: sent }),
        // Requests that a form of another page can send without a preflight.
        ...(carries && { 'content-type': json === undefined ? 'text/plain' : 'application/json' }),
        ...headers,
      },
      body: carries ? JSON.stringify(json ?? {}) : null,
    }),
  )
}

function pathOf({ api: of, path }: Operation): string {
  const values: Record<string, string> = {
    address: wallet.address,
    account: wallet.address,
    kind: 'connector',
    name: 'weave',
    id: '00000000-0000-4000-8000-000000000000',
    revision: '1',
  }
  return BASES[of] + path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x')
}

/** Everything the database holds. */
async function everything(): Promise<unknown> {
  const { sql } = api.db
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  return Promise.all(
    tables.map(async ({ name }) => [
      name,
      await sql`select count(*)::int as rows, coalesce(sum(hashtext(t::text)), 0)::text as content from ${sql(name)} t`,
    ]),
  )
}

describe('a cookie', () => {
  test('is taken from our own pages, by every operation', async () => {
    for (const operation of known) {
      if (ENDS_THE_SESSION.includes(operation.id)) continue
      const { status } = await send(operation.method, pathOf(operation), SAME_ORIGIN, cookie)
      expect([401, 403], `${operation.id} ${status}`).not.toContain(status)
    }
  })

  test.each(Object.entries(FOREIGN))('proves nothing for %s, and nothing changes', async (_, headers) => {
    const before = await everything()
    const answers: { readonly of: string; readonly name: string; readonly status: number }[] = []
    for (const operation of known) {
      const response = await send(operation.method, pathOf(operation), headers, cookie)
      answers.push({ of: operation.api, name: operation.id, status: response.status })
      expect(response.headers.getSetCookie()).toEqual([])
    }
    for (const { of, name, status } of answers) {
      // The APIs treat such requests as unauthenticated; operations for our own pages return 403.
      expect(`${of} ${name} ${status}`).toBe(
        `${of} ${name} ${of === 'chain' || of === 'services' ? 401 : 403}`,
      )
    }
    expect(answers).toHaveLength(known.length)
    expect(await everything()).toEqual(before)
  })
})

/** The operations most attractive to such a page; from our own pages they succeed. */
const ENDS_THE_SESSION = ['POST_authLogout', 'DELETE_user', 'DELETE_session']
