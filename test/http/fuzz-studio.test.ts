import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildDocument } from '../../lib/server/http/openapi.ts'
import { chainDocument } from '../../lib/server/operations/chain/document.ts'
import { chainOperations } from '../../lib/server/operations/chain/index.ts'
import { createStudioDispatcher } from '../../lib/server/operations/studio/dispatcher.ts'
import { studioOperations } from '../../lib/server/operations/studio/index.ts'
import { SAME_ORIGIN } from '../preview/studio-api.ts'
import { type ServicesApi, startServicesApi } from '../services/harness.ts'
import { newPerson, SITE } from '../services/people.ts'
import { testConfig } from '../support/config.ts'
import { type Served, servedByNode } from './adapters.ts'
import { FUZZ_TIMEOUT_MS, fuzzParameters, fuzzRuns } from './fuzz-runs.ts'
import { UNLIMITED } from './rates.ts'
import { type FuzzDocument, requestsTo, type Vocabulary } from './requests.ts'

/** Requests to the endpoints behind the studio, over Node's own server: none may end in a 500. */

/** Files are made up in `test/services/fuzz-bundles.test.ts`. */
const operations = studioOperations.filter(({ request }) => request.file === undefined)
const own = buildDocument(operations, {
  title: 'Studio',
  version: '1',
  description: '',
  server: '/studio/api',
  tags: Object.fromEntries(studioOperations.map(({ tag }) => [tag, tag])),
  securitySchemes: {},
  errorSchema: () => z.object({ message: z.string() }),
})
const shared = chainDocument(chainOperations).components?.schemas
const document = JSON.parse(
  JSON.stringify({ ...own, components: { schemas: { ...shared, ...own.components?.schemas } } }),
) as FuzzDocument
const RUNS = fuzzRuns(250)

let api: ServicesApi
let served: Served
let token: string
let vocabulary: Vocabulary
const defects = new Map<string, unknown>()

beforeAll(async () => {
  api = await startServicesApi({
    rateLimits: UNLIMITED,
    simulate: { ...testConfig().simulate, timeoutMs: 2000 },
  })
  const person = await newPerson(api)
  token = person.token
  served = await servedByNode(
    createStudioDispatcher({
      services: async () => api.services,
      validateResponses: true,
      observe: ({ requestId, error }) => error !== undefined && defects.set(requestId, error),
    }),
  )
  vocabulary = {
    names: ['same', 'same', 'same', 'Line', 'nobody', '_', 'toString', '__proto__', 'a'.repeat(128)],
    sources: ['return x + args[0];', 'return args[0] > 0;', 'return x;', 'return', '}', 'while (true) {}'],
    addresses: [person.address, person.address.toLowerCase(), `0x${'f'.repeat(40)}`],
    hashes: [`0x${'a'.repeat(64)}`, '0'.repeat(64)],
  }
})
afterAll(async () => {
  await served?.close()
  await api?.close()
})

describe('no request breaks the studio', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s',
    async (_, operation) => {
      const statuses = new Set<number>()
      await fc.assert(
        fc.asyncProperty(requestsTo(operation, document, vocabulary), async (request) => {
          fc.pre(request.path.length < 15_000)
          const { method, path, type, body } = request
          const bearer = { valid: token, broken: `${token.slice(0, -3)}abc`, none: undefined }[request.token]
          const answer = await served.send(`/studio/api${path}`, {
            method,
            headers: {
              ...SAME_ORIGIN,
              ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
              ...(body !== undefined && { 'content-type': type }),
            },
            body: body ?? null,
          })
          const text = await answer.text()
          statuses.add(answer.status)
          const defect = defects.get(answer.headers.get('x-request-id') ?? '')
          if (defect !== undefined) throw defect
          expect(answer.status).not.toBe(500)
          if (answer.status >= 400) expect(JSON.parse(text)).toEqual({ message: expect.any(String) })
        }),
        fuzzParameters(RUNS / operations.length),
      )
      expect(statuses.size).toBeGreaterThan(0)
    },
    FUZZ_TIMEOUT_MS,
  )
})

test('foreign pages are refused before anything is looked at', async () => {
  const answer = await served.send('/studio/api/compile', {
    method: 'POST',
    headers: { origin: `${SITE}.evil` },
  })
  expect(answer.status).toBe(403)
})
