import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '#lib/protocol/entity.ts'
import { createMcpEndpoint } from '#lib/server/mcp/endpoint.ts'
import { TOOLS } from '#lib/server/mcp/tools.ts'
import { devAccount } from '#test/support/chain.ts'
import { testConfig } from '#test/support/config.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'
import { FUZZ_TIMEOUT_MS, fuzzParameters } from '../http/fuzz-runs.ts'
import { UNLIMITED } from '../http/rates.ts'
import { bodyOf, hostileText, hostileValue } from '../http/requests.ts'

/** Messages of agents, well-formed and not, to every tool: none may end in a 500, or in a defect inside an answer. */

const METHODS = [
  'tools/call',
  'tools/call',
  'tools/call',
  'tools/list',
  'resources/list',
  'resources/read',
  'initialize',
  'ping',
  'notifications/initialized',
  'prompts/list',
]

let stack: TestStack
let token: string
let endpoint: (request: Request) => Promise<Response>
const defects: unknown[] = []

beforeAll(async () => {
  stack = await startTestStack({
    rateLimits: UNLIMITED,
    simulate: { ...testConfig().simulate, timeoutMs: 2000 },
  })
  token = await stack.token(devAccount(0).address.toLowerCase() as Address)
  endpoint = createMcpEndpoint({
    services: async () => stack.services,
    validateResponses: true,
    observe: ({ error }) => error !== undefined && defects.push(error),
  })
})
afterAll(() => stack?.close())

/** Arguments by the names that tools know, with values that fit seldom. */
const FIELDS = [...new Set(TOOLS.flatMap(({ operation }) => fieldsOf(operation.request)))]

function fieldsOf({ params, query, body }: (typeof TOOLS)[number]['operation']['request']): string[] {
  const shapes = [params, query, body] as readonly ({ shape?: object } | undefined)[]
  return shapes.flatMap((schema) => Object.keys(schema?.shape ?? {}))
}

const fitting = fc.constantFrom<unknown>('same', 'connector', 1, 2, 10, [], {}, devAccount(0).address)
const args = fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(fitting, fitting, hostileValue), {
  maxKeys: 6,
})
const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '2.0', '1.0', ''),
    id: fc.oneof(fc.nat(), hostileText, fc.constant(null)),
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...METHODS) },
      { weight: 1, arbitrary: hostileText },
    ),
    params: fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record(
          {
            name: fc.oneof(
              { weight: 9, arbitrary: fc.constantFrom(...TOOLS.map(({ name }) => name)) },
              { weight: 1, arbitrary: hostileText },
            ),
            arguments: args,
            uri: hostileText,
          },
          { requiredKeys: [] },
        ),
      },
      { weight: 1, arbitrary: hostileValue },
    ),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
)

test(
  'no message breaks the endpoint',
  async () => {
    const requests = fc.record({
      body: bodyOf(message),
      signedIn: fc.boolean(),
      accept: fc.constantFrom('application/json, text/event-stream', 'application/json', '*/*', ''),
    })
    await fc.assert(
      fc.asyncProperty(requests, async ({ body, signedIn, accept }) => {
        const answer = await endpoint(
          new Request('http://localhost:3000/mcp', {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              accept,
              ...(signedIn && { authorization: `Bearer ${token}` }),
            },
            body,
          }),
        )
        const text = await answer.text()
        if (defects.length > 0) throw defects[0]
        expect(answer.status, text).toBeLessThan(500)
      }),
      fuzzParameters(250),
    )
  },
  FUZZ_TIMEOUT_MS,
)
