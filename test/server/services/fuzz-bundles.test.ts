import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleParts, makeBundle, manifest } from '#test/core/worlds/support/bundle.ts'
import { makeZip } from '#test/core/worlds/support/zip.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { FUZZ_TIMEOUT_MS, fuzzParameters } from '../http/fuzz-runs.ts'
import { UNLIMITED } from '../http/rates.ts'
import { hostileValue } from '../http/requests.ts'
import { newPerson } from './people.ts'

/** Uploads: damaged ZIPs, manifests of anything, forms that are none. None may end in a 500. */

let api: TestApi
let token: string
let world: string

beforeAll(async () => {
  // Each is a separate World; the quota is tested elsewhere.
  api = await startApi('services', { maxWorldsPerOwner: 1_000_000, rateLimits: UNLIMITED })
  token = (await newPerson(api)).token
  const made = await api.send('POST', '/worlds/upload', { token, bundle: makeBundle({ slug: 'fuzzed' }) })
  world = (made.json as { id: string }).id
})
afterAll(() => api?.close())

/** A good ZIP with bytes changed, cut off or put in. */
const damaged = fc
  .record({
    slug: fc.constantFrom('fuzzed', 'fuzzed-too', 'x'),
    damage: fc.array(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) }), { maxLength: 12 }),
    end: fc.option(fc.nat(), { freq: 3 }),
    more: fc.uint8Array({ maxLength: 30 }),
  })
  .map(({ slug, damage, end, more }) => {
    const zip = makeBundle({ slug })
    for (const { at, byte } of damage) zip[at % zip.length] = byte
    const cut = end === null ? zip : zip.slice(0, end % zip.length)
    return new Uint8Array([...cut, ...more])
  })

const manifests = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...Object.keys(manifest), 'more', '__proto__'), hostileValue, {
      maxKeys: 4,
    }),
    fc.boolean(),
  )
  .map(([changes, whole]) => {
    const text = JSON.stringify(whole ? changes : { ...manifest, ...changes })
    const parts = bundleParts().map((part) =>
      part.name === 'world-manifest.json' ? { ...part, content: text } : part,
    )
    return makeZip(parts)
  })

const bundles = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('fuzzed', 'fuzzed-too').map((slug) => makeBundle({ slug })) },
  { weight: 4, arbitrary: damaged },
  { weight: 4, arbitrary: manifests },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)) },
)

test(
  'no bundle breaks the API',
  async () => {
    const requests = fc.record({
      target: fc.constantFrom('validate', 'validate', 'upload', 'patch'),
      bundle: bundles,
      type: fc.option(
        fc.constantFrom('multipart/form-data', 'multipart/form-data; boundary=', 'application/zip', ';'),
        { freq: 8 },
      ),
    })
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(requests, async ({ target, bundle, type }) => {
        const [method, path] = {
          validate: ['POST', '/worlds/validate'] as const,
          upload: ['POST', '/worlds/upload'] as const,
          patch: ['PATCH', `/worlds/${world}`] as const,
        }[target as 'validate' | 'upload' | 'patch']
        const sent = type === null ? { bundle } : { body: bundle, headers: { 'content-type': type } }
        const answer = await api.send(method, path, { ...sent, ...(target !== 'validate' && { token }) })
        if (answer.defect !== undefined) throw answer.defect
        expect(answer.status, answer.text).toBeLessThan(500)
        if (answer.status >= 400) expect(answer.text).not.toBe('')
        statuses.add(answer.status)
      }),
      fuzzParameters(60),
    )
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400]))
  },
  FUZZ_TIMEOUT_MS,
)
