import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMcpEndpoint } from '#lib/server/mcp/endpoint.ts'
import { toolRequest } from '#lib/server/mcp/tool-request.ts'
import { TOOLS } from '#lib/server/mcp/tools.ts'
import { type PreparedWire, signPrepared } from '#test/core/publication/sign-prepared.ts'
import { devAccount } from '#test/support/chain.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'
import { type Agent, connectAgent } from './connect.ts'

const URL_OF_MCP = 'http://localhost:3000/mcp'
const MODERN = { pin: '2026-07-28' }
const owner = devAccount(3)

let stack: TestStack
let endpoint: (request: Request) => Promise<Response>

beforeAll(async () => {
  stack = await startTestStack()
  endpoint = createMcpEndpoint({ services: async () => stack.services, validateResponses: true })
})
afterAll(() => stack.close())

const inProcess: typeof fetch = (input, init) => endpoint(new Request(input, init))

function connect(options: Parameters<typeof connectAgent>[1] = {}): Promise<Agent> {
  return connectAgent(URL_OF_MCP, { fetch: inProcess, ...options })
}

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return endpoint(
    new Request(URL_OF_MCP, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

describe('an agent', () => {
  test.each([['legacy' as const], [MODERN]])(
    'gets structured answers that fit what the tools promise (%j)',
    async (mode) => {
      const token = await stack.token(`0x${'7'.repeat(40)}`)
      const { client, call } = await connect({ mode, token })
      // From here on the client holds every answer against its schema.
      await client.listTools()
      const kind = mode === 'legacy' ? 'legacy' : 'modern'
      const step = `shape_step_${kind}`
      const line = `shape_${kind}`
      const dimensions = [{ transformations: [{ name: step }] }]
      for (const [name, args] of [
        ['create_transformation', { name: step, sol_src: 'return x + 3;' }],
        ['create_connector', { name: line, dimensions }],
        ['read_connector', { name: line }],
        ['read_transformation', { name: step }],
        ['search', { text: 'shape' }],
        ['list_feed', { limit: 2 }],
        ['list_formats', { limit: 2 }],
        ['list_accounts', { limit: 2 }],
        ['read_account', { address: '7'.repeat(40), limit: 2 }],
        ['get_nonce', { address: '7'.repeat(40) }],
        ['prepare_publication', { kind: 'transformation', name: step }],
      ] as const) {
        const answer = await call(name, { ...args })
        expect([name, answer.failed, answer.text]).toEqual([name, false, answer.text])
        expect(answer.structured).toEqual(answer.value)
      }
      const run = await call('simulate', { connector_name: line, particles_count: 3 })
      expect(run.structured).toEqual({ result: [{ path: `/${line}:0`, data: [0, 3, 6] }] })
      const failed = await call('simulate', { connector_name: 'nobody', particles_count: 3 })
      expect(failed.structured).toMatchObject({ status: 404 })
      // Others hold a failure against the schema of answers, and show that in place of its sentence.
      const args = { connector_name: 'nobody', particles_count: 3 }
      expect(await client.callTool({ name: 'simulate', arguments: args })).not.toHaveProperty(
        'structuredContent',
      )
    },
  )

  test('goes the whole way: logs in, drafts, simulates, publishes, executes', async () => {
    const { call } = await connect({ mode: MODERN })
    const value = async <T>(name: string, args: Record<string, unknown>): Promise<T> => {
      const answer = await call(name, args)
      expect(answer.failed, `${name}: ${answer.text}`).toBe(false)
      return answer.value as T
    }

    const { nonce } = await value<{ nonce: string }>('get_nonce', { address: owner.address })
    const message = `Login nonce: ${nonce}`
    const { access_token } = await value<{ access_token: string }>('log_in', {
      address: owner.address,
      message,
      signature: await owner.signMessage({ message }),
    })

    await value('create_transformation', { name: 'agent_step', sol_src: 'return x + args[0];', access_token })
    const connector = {
      name: 'agent_stairs',
      dimensions: [{ transformations: [{ name: 'agent_step', args: [7] }] }],
    }
    await value('create_connector', { ...connector, access_token })
    const run = { connector_name: connector.name, particles_count: 4 }
    const simulated = await value('simulate', run)
    expect(simulated).toEqual([{ path: '/agent_stairs:0', data: [0, 7, 14, 21] }])

    for (const [kind, name] of [
      ['transformation', 'agent_step'],
      ['connector', 'agent_stairs'],
    ]) {
      const words = { title: 'Stairs of an agent', present: { particles: 64, tempo: 368, loop: true } }
      const [tool, own] = kind === 'connector' ? ['prepare_piece', { words }] : ['prepare_publication', {}]
      const prepared = await value<PreparedWire>(tool, { kind, name, relay: true, access_token, ...own })
      const about = { kind, name, content_hash: prepared.content_hash, access_token }
      const { tx_hash } = await value<{ tx_hash: string }>('send_publication', {
        ...about,
        raw_tx: await signPrepared(prepared, owner),
      })
      await expect
        .poll(async () => value('confirm_publication', { ...about, tx_hash }), { interval: 50 })
        .toMatchObject({ status: 'mined', name })
    }

    expect(await value('execute', run)).toMatchObject({ particles: simulated })
    await stack.projected()
    const found = await value<{ hits: { name: string; draft: boolean }[] }>('search', { text: 'agent_stai' })
    const hit = { kind: 'connector', name: 'agent_stairs', title: 'Stairs of an agent', draft: false }
    expect(found.hits[0]).toMatchObject(hit)
    expect(await value('read_connector', { name: 'agent_stairs' })).toMatchObject({ dimensions: [{}] })
    expect(await value('list_feed', { limit: 1 })).toMatchObject({
      items: [{ payload: { name: 'agent_stairs' } }],
    })

    const some = await value<{ deltas: { stream_seq: number }[]; next_since_seq: number }>('replay_feed', {
      name: 'agent_stairs',
      limit: 1,
    })
    expect(some).toMatchObject({
      deltas: [{ event_type: 'connector_added', payload: { name: 'agent_stairs' } }],
    })
    expect(some.next_since_seq).toBe(some.deltas[0]?.stream_seq)
    expect(await value('replay_feed', { since_seq: 1_000_000 })).toMatchObject({
      deltas: [],
      has_more: false,
    })

    const verified = await value<{ certificate_url: string }>('verify_run', run)
    expect(verified).toMatchObject({
      verdict: 'consistent',
      sentence: expect.stringContaining('agent_stairs'),
    })
    expect(verified.certificate_url).toBe('http://localhost:3000/run/agent_stairs/certificate?count=4')
    expect((await call('verify_run', { ...run, connector_name: 'nobody' })).structured).toMatchObject({
      status: 404,
    })
  })

  test.each([['legacy' as const], [MODERN]])('finds every tool and every page (%j)', async (mode) => {
    const { client } = await connect({ mode })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    // Agents read the list before their first call.
    expect(JSON.stringify(tools).length).toBeLessThan(36_000)
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      expect(description?.length).toBeGreaterThan(20)
      // A file has no schema.
      if (name !== 'export_midi') expect(outputSchema).toMatchObject({ type: 'object' })
      expect(description, name).not.toMatch(/[\s`'"]\/[a-z{]/)
      const undescribed = Object.entries(inputSchema.properties ?? {}).filter(
        ([, schema]) => (schema as { description?: string }).description === undefined,
      )
      expect(undescribed.map(([argument]) => `${name}: ${argument}`)).toEqual([])
      const writes = /^(?:log_in|create_|prepare_|send_|confirm_)/.test(name)
      expect(annotations?.readOnlyHint, name).toBe(!writes)
      expect(JSON.stringify([inputSchema, outputSchema ?? null])).not.toMatch(/\$ref|nullable|discriminator/)
    }
    const prepare = tools.find(({ name }) => name === 'prepare_publication')?.inputSchema
    expect(Object.keys(prepare?.properties ?? {})).toEqual(['name', 'relay', 'kind', 'access_token'])
    expect(prepare?.required).toEqual(['kind', 'name'])

    const { resources } = await client.listResources()
    const concepts = resources.find(({ name }) => name === 'concepts')
    const { contents } = await client.readResource({ uri: concepts?.uri ?? '' })
    expect(contents).toMatchObject([
      { mimeType: 'text/markdown', text: expect.stringContaining('# Concepts') },
    ])
  })

  test.each([
    ['no token', 'create_condition', { name: 'nope', sol_src: 'return true;' }, 401, 'get_nonce'],
    [
      'a wrong token',
      'prepare_publication',
      { kind: 'connector', name: 'a', access_token: 'x.y.z' },
      401,
      'log_in',
    ],
    [
      'a token that is none',
      'prepare_publication',
      { kind: 'connector', name: 'a', access_token: 5 },
      400,
      'access_token',
    ],
    ['what does not exist', 'read_connector', { name: 'nobody_made_this' }, 404, 'not found'],
    ['a missing name', 'read_connector', {}, 400, 'name: required'],
    ['a missing limit', 'list_feed', {}, 400, 'limit: required'],
    [
      'a field of its own',
      'simulate',
      { connector_name: 'a', particles_count: 1, secret: 1 },
      400,
      'unknown field "secret"',
    ],
    [
      'an argument of its own',
      'read_connector',
      { name: 'a', extra: 1 },
      400,
      'There is no argument "extra"',
    ],
    ['a name that climbs', 'read_connector', { name: '../version' }, 400, 'name'],
    ['names of prototypes', 'read_connector', { name: '__proto__' }, 404, 'not found'],
    ['an object for a name', 'read_connector', { name: { toString: 'x' } }, 400, 'expected text'],
    [
      'too many particles',
      'simulate',
      { connector_name: 'a', particles_count: 65537 },
      400,
      'particles_count',
    ],
    ['a search for too much', 'search', { text: 'a', most: 1000 }, 400, 'most'],
  ])('is told what to do after %s', async (_, name, args, status, words) => {
    const { call } = await connect()
    const answer = await call(name, args)
    expect(answer).toMatchObject({ failed: true, structured: { status } })
    expect(answer.text).toContain(words)
  })

  test('receives an error for a run that exceeds the size of a tool result', async () => {
    const token = await stack.token(`0x${'6'.repeat(40)}`)
    const { call } = await connect({ token })
    await call('create_transformation', { name: 'agent_far', sol_src: 'return x + 7;' })
    const dimensions = [{ transformations: [{ name: 'agent_far' }] }]
    await call('create_connector', { name: 'agent_long', dimensions })
    const answer = await call('simulate', { connector_name: 'agent_long', particles_count: 65_536 })
    expect(answer).toMatchObject({ failed: true, structured: { status: 413 } })
    expect(answer.text).toContain('fewer particles')
  })
})

describe('the endpoint', () => {
  test('accepts its own and configured origins only', async () => {
    const { siteOrigin } = stack.services.config
    const own = await post(LIST, { Origin: siteOrigin })
    expect(own.status).toBe(200)
    expect(own.headers.get('access-control-allow-origin')).toBe(siteOrigin)
    // DNS rebinding: the page's name leads here, so that its origin and the host agree.
    for (const origin of ['http://evil.example:3000', 'null', 'http://localhost.evil.example']) {
      const refused = await post(LIST, { Origin: origin, Host: 'evil.example:3000' })
      expect([origin, refused.status]).toEqual([origin, 403])
      expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    }
    const preflight = await endpoint(
      new Request(URL_OF_MCP, { method: 'OPTIONS', headers: { Origin: siteOrigin } }),
    )
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version')
  })

  test('takes one message of a decent size by POST', async () => {
    const get = await endpoint(new Request(URL_OF_MCP))
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    expect((await post('{"jsonrpc":"2.0","id":1,"id":2}')).status).toBe(400)
    expect((await post('nonsense')).status).toBe(400)
    expect((await post('')).status).toBe(400)
    expect((await post(`"${'x'.repeat(1_200_000)}"`)).status).toBe(413)
    expect((await post(LIST, { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await post(LIST, { 'Content-Encoding': 'gzip' })).status).toBe(415)
  })

  const CALL = {
    jsonrpc: '2.0',
    id: 'two',
    method: 'tools/call',
    params: { name: 'list_feed', arguments: { limit: 1 } },
  }
  const NOTE = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const CANCEL = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'two' } }

  test.each([{}, { 'Mcp-Protocol-Version': '2025-03-26' }] as Record<string, string>[])(
    'answers the batches of revision 2025-03-26 (%j)',
    async (headers) => {
      const ids = async (batch: unknown[]) => {
        const response = await post(batch, headers)
        const body = response.status === 202 ? undefined : await response.json()
        return [response.status, Array.isArray(body) ? body.map(({ id }) => id) : body]
      }
      expect(await ids([LIST, NOTE, CALL])).toEqual([200, [1, 'two']])
      expect(await ids([CALL])).toEqual([200, ['two']])
      expect(await ids([NOTE, NOTE])).toEqual([202, undefined])
      expect(await ids([CALL, CANCEL])).toEqual([200, ['two']])
      expect(await ids([CANCEL])).toEqual([202, undefined])
      for (const bad of [[], [1], [LIST, [LIST]], [null], Array(21).fill(LIST)]) {
        expect((await post(bad, headers)).status, JSON.stringify(bad).slice(0, 40)).toBe(400)
      }
    },
  )

  test.each(['2025-06-18', '2025-11-25', '2026-07-28', 'x'])(
    'has no batches in revision %s',
    async (version) => {
      const response = await post([LIST, CALL], { 'Mcp-Protocol-Version': version })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: -32600 } })
    },
  )

  test('counts each message of a batch', async () => {
    const taken: unknown[] = []
    const rateLimiter = { take: async (limit: string) => void taken.push(limit) }
    const counting = createMcpEndpoint({
      services: async () => ({ ...stack.services, rateLimiter }) as typeof stack.services,
    })
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify([LIST, { ...LIST, id: 2 }, { ...LIST, id: 3 }])
    expect((await counting(new Request(URL_OF_MCP, { method: 'POST', headers, body }))).status).toBe(200)
    expect(taken).toEqual(['agent', 'agent', 'agent'])
  })

  test.each(['*/*', 'application/json', 'application/*', 'text/event-stream', 'text/html', undefined])(
    'serves a client that accepts %s',
    async (accept) => {
      const modern = {
        ...LIST,
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }
      const headers = { 'Content-Type': 'application/json', ...(accept !== undefined && { Accept: accept }) }
      for (const [message, more] of [
        [LIST, {}],
        [modern, { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' }],
      ] as const) {
        const response = await endpoint(
          new Request(URL_OF_MCP, {
            method: 'POST',
            headers: { ...headers, ...more } as Record<string, string>,
            body: JSON.stringify(message),
          }),
        )
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
        expect(await response.json()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } })
      }
    },
  )

  test('drops headers that would authenticate a call as the signed-in user', () => {
    const headers = new Headers({
      Cookie: 'weft-session=sealed',
      Origin: 'http://localhost:3000',
      'X-Forwarded-For': '::1',
    })
    const [tool] = TOOLS.filter(({ name }) => name === 'create_condition')
    const request =
      tool && toolRequest(tool, { name: 'a', sol_src: 'b' }, headers, new AbortController().signal)
    const names = ['cookie', 'origin', 'authorization', 'content-type', 'x-forwarded-for']
    expect(names.map((name) => request?.headers.get(name))).toEqual([
      null,
      null,
      null,
      'application/json',
      '::1',
    ])
  })

  test('answers 503 while it is not configured', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => log.mockRestore())
    const broken = createMcpEndpoint({
      services: () => Promise.reject(new Error('no configuration, on purpose')),
    })
    expect((await broken(new Request(URL_OF_MCP, { method: 'POST', body: '{}' }))).status).toBe(503)
  })
})
