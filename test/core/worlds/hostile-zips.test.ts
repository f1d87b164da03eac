import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUNDLE_LIMITS } from '#lib/compute/bundle/limits.ts'
import { newPerson } from '#test/server/services/people.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { makeBundle } from './support/bundle.ts'
import { hostileZips } from './support/hostile-zips.ts'
import { measure } from './support/measure.ts'
import { keptRows } from './support/stored-rows.ts'
import { MIB } from './support/zip-makers.ts'

let api: TestApi
let token: string
beforeAll(async () => {
  api = await startApi('services')
  token = (await newPerson(api)).token
  // What the first check loads is not what a bundle takes.
  await api.services.bundles.check(makeBundle())
})
afterAll(() => api.close())

/** Every such ZIP is also sent to the API, where it would be checked once more. */
const SENT_EVERY = 8

const zips = hostileZips.map(
  ([what, make, says], index) => [what, make, says, index % SENT_EVERY === 0] as const,
)

describe('an upload is refused with its reason, in bounded memory, and nothing is stored', () => {
  test.each(zips)('%s', async (_what, make, says, sent) => {
    const bundle = make()
    const check = () => api.services.bundles.check(bundle).then(() => 'accepted', String)
    // Without the copies that sending a form within one process makes.
    const { result, grownMiB } = await measure(check)
    expect(result).toMatch(says)
    // The content of files is held until the last of them is checked.
    const held = says.source === 'checksum' ? BUNDLE_LIMITS.extracted / MIB : 0
    expect(grownMiB).toBeLessThan(100 + held)
    if (!sent) return
    const answer = await api.send('POST', '/worlds/upload', { token, bundle })
    expect(answer.text).toMatch(says)
    expect(answer.status).toBe(400)
    expect(await keptRows(api.services)).toEqual({ worlds: 0, files: 0, blobs: 0, parts: 0, leases: 0 })
  })
})
