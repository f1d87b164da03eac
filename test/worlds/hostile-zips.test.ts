import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServicesApi, startServicesApi } from '../services/harness.ts'
import { newPerson } from '../services/people.ts'
import { hostileZips } from './support/hostile-zips.ts'
import { measure } from './support/measure.ts'
import { storedRows } from './support/stored-rows.ts'

let api: ServicesApi
let token: string
beforeAll(async () => {
  api = await startServicesApi()
  token = (await newPerson(api)).token
})
afterAll(() => api.close())

describe('an upload is refused with its reason, in bounded memory, and nothing is stored', () => {
  test.each(hostileZips)('%s', async (_what, make, says) => {
    const bundle = make()
    // Without the copies that sending a form within one process makes.
    const { grownMiB } = await measure(() => api.services.bundles.check(bundle).catch(() => undefined))
    expect(grownMiB).toBeLessThan(100)
    const answer = await api.send('POST', '/worlds/upload', { token, bundle })
    expect(answer.text).toMatch(says)
    expect(answer.status).toBe(400)
    expect(await storedRows(api.db)).toEqual({ worlds: 0, files: 0, blobs: 0, parts: 0, leases: 0 })
  })
})
