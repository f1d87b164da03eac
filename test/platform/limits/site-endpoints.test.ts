import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { closeServices, createServices } from '#lib/core/context/services.ts'
import type { Config } from '#lib/platform/config.ts'
import type { RateLimits } from '#lib/platform/limits/rate-limits.ts'
import { connections } from '#lib/server/http/connection.ts'
import { createMcpEndpoint } from '#lib/server/mcp/endpoint.ts'
import { createSessionDispatcher } from '#lib/server/operations/session/dispatcher.ts'
import { testConfig } from '#test/support/config.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

const SITE = 'http://localhost:3000'

let db: TestDatabase
const started: Services[] = []
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(async () => {
  await Promise.all(started.map(closeServices))
  await db.close()
})

async function services(limits: Partial<RateLimits>, config: Partial<Config> = {}): Promise<Services> {
  const base = testConfig()
  const made = await createServices({
    ...base,
    siteOrigin: SITE,
    databaseUrl: db.url,
    ...config,
    rateLimits: { ...base.rateLimits, ...limits },
  })
  started.push(made)
  return made
}

/** As the site's own server hands a request to Next. */
function from(
  peer: string,
  handle: (request: Request) => Promise<Response>,
  path: string,
  init: RequestInit,
) {
  return connections().run({ remoteAddress: peer }, () => handle(new Request(SITE + path, init)))
}

test('signing in by cookie is counted by client address, and reading the session is not', async () => {
  const own = await services({ signIn: 1 })
  const handle = createSessionDispatcher({ services: async () => own })
  const headers = { Origin: SITE, 'Content-Type': 'application/json' }
  const post = (peer: string) => from(peer, handle, '/session', { method: 'POST', headers, body: '{}' })
  expect((await post('203.0.113.1')).status).toBe(400)
  const refused = await post('203.0.113.1')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
  expect(await refused.json()).toEqual({ message: expect.stringContaining('try again in') })
  expect((await post('203.0.113.2')).status).toBe(400)
  for (let each = 0; each < 3; each++) {
    expect((await from('203.0.113.1', handle, '/session', { headers })).status).toBe(200)
    expect((await post('127.0.0.1')).status).toBe(400)
  }
})

function message(method: string, params: object) {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }
}

test('messages of agents are counted by client address', async () => {
  const own = await services({ agent: 1 })
  const handle = createMcpEndpoint({ services: async () => own })
  const list = (peer: string) => from(peer, handle, '/mcp', message('tools/list', {}))
  expect((await list('203.0.113.3')).status).toBe(200)
  const refused = await list('203.0.113.3')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
  expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } })
  expect((await list('2001:db8::1')).status).toBe(200)
})

test('their tools count as what they do, together with the API, and the agent learns how long to wait', async () => {
  const own = await services({ run: 1 })
  const handle = createMcpEndpoint({ services: async () => own, validateResponses: true })
  const call = async (name: string, args: object): Promise<string> => {
    const answer = await from('203.0.113.4', handle, '/mcp', message('tools/call', { name, arguments: args }))
    expect(answer.status).toBe(200)
    return answer.text()
  }
  const run = { connector_name: 'nobody', particles_count: 1 }
  expect(await call('simulate', run)).toContain('404')
  const refused = await call('simulate', run)
  expect(refused).toContain('429')
  expect(refused).toContain('try again in')
  expect(await call('search', { text: 'x' })).not.toContain('429')
})
