import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servicesDocument } from '../../lib/server/operations/services/document.ts'
import { servicesOperations } from '../../lib/server/operations/services/index.ts'
import { FUZZ_TIMEOUT_MS, fuzzParameters, fuzzRuns } from '../http/fuzz-runs.ts'
import { UNLIMITED } from '../http/rates.ts'
import { type FuzzDocument, requestsTo, type Vocabulary } from '../http/requests.ts'
import { type ServicesApi, startServicesApi } from './harness.ts'
import { newPerson, newWallet, SITE, signIn } from './people.ts'

const RUNS = fuzzRuns(600)

/** Their success takes a signature or the address of an existing user. */
const RARE = new Set(['POST_authSiweVerify', 'POST_socialFollow', 'POST_socialUnfollow', 'DELETE_user'])

/** Operations about users: their input fits into a path, a query and a JSON body. */
const operations = servicesOperations.filter(({ tag }) => ['core', 'auth', 'users', 'social'].includes(tag))
const document = JSON.parse(JSON.stringify(servicesDocument(servicesOperations))) as FuzzDocument
const owner = newWallet()

let api: ServicesApi
let vocabulary: Vocabulary

beforeAll(async () => {
  api = await startServicesApi({ rateLimits: UNLIMITED })
  const friend = await newPerson(api)
  const addresses = [owner.address, owner.address, owner.address.slice(2).toUpperCase(), friend.address]
  vocabulary = { names: [SITE, ...addresses], sources: [SITE], addresses, hashes: ['0'.repeat(64)] }
})
afterAll(() => api?.close())

describe('no request breaks the API', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s',
    async (id, operation) => {
      // The challenges of the test before are over.
      api.advance(5 * 60_000)
      const valid = await signIn(api, owner)
      const statuses = new Set<number>()
      await fc.assert(
        fc.asyncProperty(requestsTo(operation, document, vocabulary), async (request) => {
          const { method, path, token, type, body } = request
          const bearer =
            token === 'valid' ? valid : token === 'broken' ? `${valid.slice(0, -3)}abc` : undefined
          const answer = await api.send(method, path, {
            ...(bearer !== undefined && { token: bearer }),
            ...(body !== undefined && { body }),
            headers: { origin: SITE, ...(body !== undefined && { 'content-type': type }) },
          })
          statuses.add(answer.status)
          if (answer.defect !== undefined) throw answer.defect
          expect(answer.status).not.toBe(500)
          if (answer.status >= 400) expect(answer.text).toBe('')
        }),
        fuzzParameters(RUNS / operations.length),
      )
      const success = Object.keys(operation.responses).map(Number)
      if (!RARE.has(id)) {
        expect(success.some((status) => statuses.has(status))).toBe(true)
      }
    },
    FUZZ_TIMEOUT_MS,
  )
})
