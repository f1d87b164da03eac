import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { servicesDocument } from '#lib/server/operations/services/document.ts'
import { servicesOperations } from '#lib/server/operations/services/index.ts'
import { SITE, startApi, type TestApi } from '#test/support/api.ts'
import { bearer, nothingBreaks } from '../http/fuzz-runs.ts'
import { UNLIMITED } from '../http/rates.ts'
import { newPerson, newWallet, signIn } from './people.ts'

/** Their success takes a signature or the address of an existing user. */
const RARE = new Set(['POST_authSiweVerify', 'POST_socialFollow', 'POST_socialUnfollow', 'DELETE_user'])

/** Operations about users: their input fits into a path, a query and a JSON body. */
const operations = servicesOperations.filter(({ tag }) => ['core', 'auth', 'users', 'social'].includes(tag))
const owner = newWallet()

let api: TestApi
let addresses: readonly string[]
let token: string

beforeAll(async () => {
  api = await startApi('services', { rateLimits: UNLIMITED })
  const friend = await newPerson(api)
  addresses = [owner.address, owner.address, owner.address.slice(2).toUpperCase(), friend.address]
})
beforeEach(async () => {
  // The challenges of the test before are over.
  api.advance(5 * 60_000)
  token = await signIn(api, owner)
})
afterAll(() => api?.close())

nothingBreaks(operations, servicesDocument(servicesOperations), 600, {
  vocabulary: () => ({ names: [SITE, ...addresses], sources: [SITE], addresses, hashes: ['0'.repeat(64)] }),
  send: async (request) => {
    const { method, path, type, body } = request
    const answer = await api.send(method, path, {
      ...bearer(request, token),
      ...(body !== undefined && { body }),
      headers: { origin: SITE, ...(body !== undefined && { 'content-type': type }) },
    })
    if (answer.status >= 400) expect(answer.text).toBe('')
    return answer
  },
  succeeds: (id) => !RARE.has(id),
})
