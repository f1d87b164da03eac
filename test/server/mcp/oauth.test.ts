import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueChainToken } from '#lib/core/identity/chain-token.ts'
import { setSuspended } from '#lib/core/people/account-status.ts'
import { createOAuthDispatcher } from '#lib/features/agents/oauth/endpoint.ts'
import { createMcpEndpoint } from '#lib/server/mcp/endpoint.ts'
import { createStudioDispatcher } from '#lib/server/operations/studio/dispatcher.ts'
import { SAME_ORIGIN, SITE, startApi, type TestApi } from '#test/support/api.ts'
import { listen } from '#test/support/listen.ts'
import { newPerson } from '../services/people.ts'

const RESOURCE = `${SITE}/mcp/account`
const REDIRECT = 'http://127.0.0.1:4321/callback'
const VERIFIER = 'v'.repeat(64)

let api: TestApi
let site: typeof fetch
let now = new Date('2026-11-24T12:00:00Z')

beforeAll(async () => {
  api = await startApi('services')
  const config = { ...api.services.config, webhooksAllowLoopback: true }
  const services = async () => ({ ...api.services, config, clock: () => now })
  const [mcp, oauth, studio] = [
    createMcpEndpoint({ services, forAccount: true, validateResponses: true }),
    createOAuthDispatcher({ services }),
    createStudioDispatcher({ services, validateResponses: true }),
  ]
  site = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    if (pathname === '/mcp/account') return mcp(request)
    return pathname.startsWith('/studio/api/') ? studio(request) : oauth(request)
  }
})
afterAll(() => api.close())

/** An application of its own, which sends the account's browser to `answer`. */
function application(answer: (url: URL) => Promise<void>): OAuthClientProvider {
  const kept: { client?: unknown; tokens?: unknown; verifier?: string } = {}
  return {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'Composer‮ bot', redirect_uris: [REDIRECT] },
    state: () => 'state-1',
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: answer,
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? '',
  }
}

type Person = Awaited<ReturnType<typeof newPerson>>

async function answer(person: Person, request: Record<string, string>, allow = true): Promise<Response> {
  return site(`${SITE}/studio/api/agents/${person.address}`, {
    method: 'POST',
    headers: { ...SAME_ORIGIN, authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ allow, request }),
  })
}

async function register(
  redirectUris: readonly unknown[] = [REDIRECT],
  name: unknown = 'bot',
): Promise<Response> {
  return site(`${SITE}/oauth/register`, {
    method: 'POST',
    body: JSON.stringify({ client_name: name, redirect_uris: redirectUris }),
  })
}

async function newClientId(redirectUris?: readonly string[]): Promise<string> {
  return ((await (await register(redirectUris)).json()) as { client_id: string }).client_id
}

async function terms(change: Record<string, string> = {}): Promise<Record<string, string>> {
  return {
    client_id: await newClientId(),
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    resource: RESOURCE,
    ...change,
  }
}

async function codeFor(person: Person, request: Record<string, string>): Promise<string> {
  const { redirect_to } = (await (await answer(person, request)).json()) as { redirect_to: string }
  return new URL(redirect_to).searchParams.get('code') ?? ''
}

async function token(
  form: Record<string, string>,
): Promise<{ status: number; body: Record<string, string> }> {
  const response = await site(`${SITE}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

async function exchange(request: Record<string, string>, code: string, change: Record<string, string> = {}) {
  return token({
    grant_type: 'authorization_code',
    code,
    client_id: request.client_id as string,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...change,
  })
}

async function newGrant(person: Person) {
  const request = await terms()
  const { status, body } = await exchange(request, await codeFor(person, request))
  expect(status).toBe(200)
  return { access: body.access_token as string, refresh: body.refresh_token as string }
}

async function listTools(access?: string): Promise<Response> {
  return site(RESOURCE, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(access !== undefined && { authorization: `Bearer ${access}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
}

test('the official client finds its way from a 401 to a draft of the account, and renews its token', async () => {
  const person = await newPerson(api)
  let returned = new URLSearchParams()
  const provider = application(async (url) => {
    expect(`${url.origin}${url.pathname}`).toBe(`${SITE}/oauth/authorize`)
    const response = await answer(person, Object.fromEntries(withoutScope(url)))
    const back = new URL(((await response.json()) as { redirect_to: string }).redirect_to)
    expect(back.searchParams.get('state')).toBe('state-1')
    returned = back.searchParams
  })
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(RESOURCE), { fetch: site, authProvider: provider })
  const first = transport()
  const refused = new Client({ name: 'bot', version: '1' })
  await expect(refused.connect(first)).rejects.toThrow()
  // Checks the issuer, too.
  await first.finishAuth(returned)

  const client = new Client({ name: 'bot', version: '1' })
  await client.connect(transport())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).not.toContain('log_in')
  expect(
    tools.find(({ name }) => name === 'create_transformation')?.inputSchema.properties,
  ).not.toHaveProperty('access_token')
  const create = (name: string) =>
    client.callTool({ name: 'create_transformation', arguments: { name, sol_src: 'return x + 3;' } })
  expect((await create('agent_bound')).structuredContent).toMatchObject({
    owner: person.address.slice(2).toLowerCase(),
  })
  now = new Date(now.getTime() + 2 * 60 * 60 * 1000)
  expect((await create('agent_bound_later')).structuredContent).toMatchObject({ name: 'agent_bound_later' })
  await client.close()
})

function withoutScope(url: URL): URLSearchParams {
  const query = new URLSearchParams(url.search)
  query.delete('scope')
  return query
}

describe('an application gets nothing', () => {
  test.each(['com.example.app:/cb', 'com.example.app://cb', 'composer://callback', 'http://[::1]:4321/cb'])(
    'accepts the address of an installed application: %s',
    async (uri) => {
      expect((await register([uri])).status).toBe(201)
    },
  )

  test.each([
    ['no host', ['https://']],
    ['a path of a scheme that is no domain', ['composer:/cb']],
    ['a domain without a path', ['com.example.app:']],
    ['plain HTTP elsewhere', ['http://attacker.example/cb']],
    ['a script', ['javascript://x/%0aalert(1)']],
    ['data', ['data:text/html,x']],
    ['a fragment', ['https://app.example/cb#x']],
    ['a password', ['https://a:b@app.example/cb']],
    ['no address', []],
    ['six addresses', Array.from({ length: 6 }, (_, index) => `https://app.example/${index}`)],
    ['what is no text', [7]],
    ['an address of great length', [`https://app.example/${'a'.repeat(500)}`]],
  ])('when it registers %s', async (_, uris) => {
    const response = await register(uris)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' })
  })

  test.each([
    ['the id of no application', { client_id: 'x.y.z' }],
    ['an address that it did not register', { redirect_uri: 'https://attacker.example/' }],
    ['another path on this machine', { redirect_uri: 'http://127.0.0.1:4321/other' }],
    ['a token in the address', { response_type: 'token' }],
    ['PKCE without a hash', { code_challenge_method: 'plain' }],
    ['no challenge', { code_challenge: '' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
    ['a state of great length', { state: 's'.repeat(1_001) }],
  ])('when it asks with %s', async (_, change) => {
    const person = await newPerson(api)
    expect((await answer(person, await terms(change as Record<string, string>))).status).toBe(400)
  })

  test('when the account refuses, or is another one', async () => {
    const [person, other] = [await newPerson(api), await newPerson(api)]
    const refusal = (await (await answer(person, await terms(), false)).json()) as { redirect_to: string }
    expect(new URL(refusal.redirect_to).searchParams.get('error')).toBe('access_denied')
    expect(refusal.redirect_to).not.toContain('code=')
    expect((await answer({ ...person, token: other.token }, await terms())).status).toBe(403)
    expect((await answer({ ...person, token: 'none' }, await terms())).status).toBe(401)
  })

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(64) }],
    ['another address', { redirect_uri: 'http://127.0.0.1:4322/callback' }],
    ['another code', { code: `${'0'.repeat(64)}.${'0'.repeat(64)}` }],
    ['text', { code: 'code' }],
  ])('when it exchanges with %s', async (_, change) => {
    const request = await terms()
    const code = await codeFor(await newPerson(api), request)
    expect((await exchange(request, code, change as Record<string, string>)).body).toMatchObject({
      error: 'invalid_grant',
    })
    expect((await exchange(request, code)).status).toBe(200)
  })

  test('when it is another application, too late, or not the first', async () => {
    const person = await newPerson(api)
    const request = await terms()
    const stranger = await newClientId(['https://other.example/cb'])
    const code = await codeFor(person, request)
    expect((await exchange(request, code, { client_id: stranger })).status).toBe(400)

    const [one, two] = await Promise.all([exchange(request, code), exchange(request, code)])
    expect([one.status, two.status].sort()).toEqual([200, 400])

    const late = await codeFor(person, request)
    now = new Date(now.getTime() + 61_000)
    expect((await exchange(request, late)).status).toBe(400)
  })

  test('when a code or a refresh token comes a second time, and neither does its first user', async () => {
    const person = await newPerson(api)
    const request = await terms()
    const code = await codeFor(person, request)
    const first = (await exchange(request, code)).body
    expect((await exchange(request, code)).status).toBe(400)
    expect((await listTools(first.access_token)).status).toBe(401)

    const { refresh } = await newGrant(person)
    const renewed = await token({ grant_type: 'refresh_token', refresh_token: refresh })
    expect(renewed.status).toBe(200)
    expect((await listTools(renewed.body.access_token)).status).toBe(200)
    expect((await token({ grant_type: 'refresh_token', refresh_token: refresh })).status).toBe(400)
    expect((await listTools(renewed.body.access_token)).status).toBe(401)
  })

  test('with a token of another kind, an old one, or none', async () => {
    const person = await newPerson(api)
    const { access, refresh } = await newGrant(person)
    const chainToken = await issueChainToken(
      { ...api.services, clock: () => now },
      person.address.toLowerCase() as `0x${string}`,
    )
    for (const other of [undefined, chainToken, person.token, refresh, `${access}x`]) {
      const response = await listTools(other)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain(
        `resource_metadata="${SITE}/.well-known/oauth-protected-resource/mcp/account"`,
      )
    }
    // Nor does it open the API.
    const users = await api.send('GET', '/auth/me', { token: access })
    expect(users.status).toBe(401)
    now = new Date(now.getTime() + 60 * 60 * 1000 + 1)
    expect((await listTools(access)).status).toBe(401)
  })

  test.each([
    [
      'disconnects it',
      async (person: Person) => {
        const headers = { ...SAME_ORIGIN, authorization: `Bearer ${person.token}` }
        const [row] = await api.db
          .sql`select selector from agent_grants where address = ${person.address.toLowerCase()}`
        const path = `/studio/api/agents/${person.address}/${row?.selector}`
        const other = await newPerson(api)
        await site(`${SITE}/studio/api/agents/${other.address}/${row?.selector}`, {
          method: 'DELETE',
          headers: { ...SAME_ORIGIN, authorization: `Bearer ${other.token}` },
        })
        expect((await api.db.sql`select 1 from agent_grants where selector = ${row?.selector}`).length).toBe(
          1,
        )
        expect((await site(`${SITE}${path}`, { method: 'DELETE', headers })).status).toBe(204)
      },
    ],
    [
      'is suspended',
      (person: Person) =>
        setSuspended(api.services, {
          address: person.address.toLowerCase() as `0x${string}`,
          suspended: true,
          operator: 'ops',
          reason: 'spam',
        }),
    ],
    [
      'is deleted',
      async (person: Person) => {
        const path = `/users/${person.address}`
        expect((await api.send('DELETE', path, { token: person.token })).status).toBe(204)
      },
    ],
  ])('as soon as the account %s', async (_, end) => {
    const person = await newPerson(api)
    const { access, refresh } = await newGrant(person)
    expect((await listTools(access)).status).toBe(200)
    await end(person)
    expect((await listTools(access)).status).toBe(401)
    expect((await token({ grant_type: 'refresh_token', refresh_token: refresh })).status).toBe(400)
  })
})

test('an application connects by the address of a document, which it did not register', async () => {
  const server = createServer(({ url, headers }, response) => {
    const document = {
      client_id: `http://${headers.host}${url}`,
      client_name: 'bot',
      redirect_uris: [REDIRECT],
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  })
  try {
    const host = `127.0.0.1:${await listen(server)}`
    const request = await terms({ client_id: `http://${host}/client.json` })
    const person = await newPerson(api)
    const { status, body } = await exchange(request, await codeFor(person, request))
    expect(status).toBe(200)
    expect((await listTools(body.access_token)).status).toBe(200)
    const [row] = await api.db.sql`select * from agent_grants where address = ${person.address.toLowerCase()}`
    expect(row).toMatchObject({ client_name: `bot (${host})` })
    const elsewhere = { ...request, redirect_uri: 'https://attacker.example/' }
    expect((await answer(person, elsewhere)).status).toBe(400)
  } finally {
    server.close()
  }
})

test('an application ends its own grant', async () => {
  const { access, refresh } = await newGrant(await newPerson(api))
  const revoke = (text: string) =>
    site(`${SITE}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token: text }) })
  expect((await revoke(`${refresh.slice(0, 65)}${'0'.repeat(64)}`)).status).toBe(200)
  expect((await listTools(access)).status).toBe(200)
  expect((await revoke(refresh)).status).toBe(200)
  expect((await listTools(access)).status).toBe(401)
})

test('the port of this machine is free, and names lose what turns or hides text', async () => {
  const person = await newPerson(api)
  const request = await terms({ redirect_uri: 'http://127.0.0.1:9999/callback' })
  expect((await answer(person, request)).status).toBe(200)
  const registered = (await (await register([REDIRECT], 'Co‮dex\n​ 1')).json()) as { client_name: string }
  expect(registered.client_name).toBe('Co dex 1')
})

test.each([
  ['GET', '/oauth/token', 405],
  ['PUT', '/oauth/register', 405],
  ['OPTIONS', '/oauth/token', 204],
])('%s %s is a %i', async (method, path, status) => {
  expect((await site(`${SITE}${path}`, { method })).status).toBe(status)
})

test.each([
  [{ grant_type: 'password' }, 'unsupported_grant_type'],
  [{ grant_type: 'refresh_token' }, 'invalid_request'],
  [{ grant_type: 'refresh_token', refresh_token: 'x', resource: 'https://other.example' }, 'invalid_target'],
])('a token request of %j is refused', async (form, error) => {
  expect(await token(form as Record<string, string>)).toMatchObject({ status: 400, body: { error } })
})
