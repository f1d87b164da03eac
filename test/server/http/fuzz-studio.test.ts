import { afterAll, beforeAll, expect } from 'vitest'
import { z } from 'zod'
import { buildDocument } from '#lib/server/http/openapi.ts'
import { chainDocument } from '#lib/server/operations/chain/document.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { studioOperations } from '#lib/server/operations/studio/index.ts'
import { testConfig } from '#test/support/config.ts'
import { newPerson } from '../services/people.ts'
import { bearer, nothingBreaks, WORDS } from './fuzz-runs.ts'
import { UNLIMITED } from './rates.ts'
import { type Studio, startStudio } from './studio-requests.ts'

/** Files are made up in `test/server/services/fuzz-bundles.test.ts`. */
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

let studio: Studio
let person: Awaited<ReturnType<typeof newPerson>>

beforeAll(async () => {
  studio = await startStudio({
    rateLimits: UNLIMITED,
    simulate: { ...testConfig().simulate, timeoutMs: 2000 },
  })
  person = await newPerson(studio.api)
})
afterAll(() => studio?.api.close())

nothingBreaks(
  operations,
  { ...own, components: { schemas: { ...shared, ...own.components?.schemas } } },
  250,
  {
    vocabulary: () => ({
      ...WORDS,
      addresses: [person.address, person.address.toLowerCase(), `0x${'f'.repeat(40)}`],
      hashes: [`0x${'a'.repeat(64)}`, '0'.repeat(64)],
    }),
    send: async (request) => {
      const { method, path, type, body } = request
      const answer = await studio.send(method, path, {
        ...bearer(request, person.token),
        ...(body !== undefined && { body, headers: { 'content-type': type } }),
      })
      if (answer.status >= 400) expect(answer.json).toEqual({ message: expect.any(String) })
      return answer
    },
  },
)
