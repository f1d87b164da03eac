import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context, Services } from '#lib/core/context/context.ts'
import { collectGarbage, deleteExpired } from '#lib/core/worlds/collect-garbage.ts'
import { listWorlds } from '#lib/core/worlds/list-worlds.ts'
import { endPreview, getPreview, PREVIEW_MS, previewWorld } from '#lib/core/worlds/preview-world.ts'
import { uploadWorld } from '#lib/core/worlds/publish-world.ts'
import { serveFile } from '#lib/core/worlds/serve-file.ts'
import { checkManifest } from '#lib/core/worlds/validate-world.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { makeBundle } from './support/bundle.ts'
import { openTestContext } from './support/context.ts'

const owner: Address = `0x${'a1'.repeat(20)}`

let started: TestServices
let services: Services

beforeAll(async () => {
  started = await startServices()
  services = started.services
})
afterAll(() => started.close())

function as(address: Address) {
  return openTestContext(services, address)
}
function visitor(): Context {
  return { ...as(owner), caller: undefined, session: undefined }
}
function entry(worldId: string) {
  return serveFile(services, { worldId, path: 'index.html', destination: 'iframe' }).then(
    ({ headers }) => headers,
    (error: { code?: string }) => error.code,
  )
}
async function kept() {
  const [row] = await started.db.sql<{ blobs: number; leases: number; parts: number; files: number }[]>`
    select (select count(*) from blobs)::int as blobs, (select count(*) from blob_leases)::int as leases,
      (select count(*) from blob_parts)::int as parts, (select count(*) from world_preview_files)::int as files`
  return row
}

const NOTHING = { blobs: 0, leases: 0, parts: 0, files: 0 }

test('a preview is served under the policy of Worlds, is in no list, and leaves nothing behind', async () => {
  const { id, refusal, size } = await previewWorld(visitor(), makeBundle({ slug: 'looked-at' }))
  expect(refusal).toBeUndefined()
  expect(size.files).toBe(5)
  const headers = await entry(id)
  expect(headers).toMatchObject({
    'Content-Security-Policy': expect.stringContaining(
      `/services/world-assets/${id}/ data: blob:; worker-src`,
    ),
  })
  expect((headers as Record<string, string>)['Content-Security-Policy']).toContain("default-src 'none'")
  expect(await listWorlds(visitor(), { page: 0, limit: 10 })).toEqual([])
  expect(await getPreview(services, id)).toMatchObject({ manifest: { slug: 'looked-at' } })
  await endPreview(visitor(), id)
  expect(await entry(id)).toBe('not_found')
  expect(await kept()).toEqual(NOTHING)
  await endPreview(visitor(), "prv_' or true --")
})

test('expires automatically', async () => {
  const { id } = await previewWorld(visitor(), makeBundle({ slug: 'looked-at' }))
  started.advance(PREVIEW_MS - 60_000)
  expect(await entry(id)).toHaveProperty('ETag')
  started.advance(61_000)
  expect(await entry(id)).toBe('not_found')
  expect(await getPreview(services, id)).toBeUndefined()
  await deleteExpired(services)
  await collectGarbage(services)
  expect(await kept()).toEqual(NOTHING)
})

test('the oldest of an account is evicted, and a published World retains its files when its preview ends', async () => {
  const bundle = makeBundle({ slug: 'becomes-a-world' })
  const ids: string[] = []
  for (let n = 0; n < 4; n += 1) ids.push((await previewWorld(as(owner), bundle)).id)
  const found = await Promise.all(ids.map((id) => getPreview(services, id)))
  expect(found.map((preview) => preview !== undefined)).toEqual([false, true, true, true])
  const world = await uploadWorld(as(owner), bundle)
  for (const id of ids) await endPreview(visitor(), id)
  expect(await entry(world.id)).toHaveProperty('ETag')
  const again = await previewWorld(as(owner), bundle)
  expect(again.refusal).toContain('already')
  expect((await previewWorld(visitor(), bundle)).refusal).toContain('choose another slug')
})

test('visitors share a quota, and accounts have their own', async () => {
  const bundle = makeBundle({ slug: 'many' })
  let refused: unknown
  for (let n = 0; n < 25 && refused === undefined; n += 1) {
    await previewWorld(visitor(), bundle).catch((error: unknown) => {
      refused = error
    })
  }
  expect(refused).toMatchObject({ code: 'too_many', message: expect.stringContaining('sign in') })
  await previewWorld(as(owner), bundle)
})

test('a manifest is validated alone', async () => {
  expect(await checkManifest(services, '{')).toMatchObject({
    problems: [expect.stringContaining('not valid JSON')],
  })
  const good = { schemaVersion: 1, slug: 'becomes-a-world', name: 'A', version: '1', description: 'B' }
  const rest = { entry: 'index.html', runtime: 'iframe', surfaces: ['world-page'] }
  const review = await checkManifest(services, JSON.stringify({ ...good, ...rest }))
  expect(review.problems).toEqual([])
  expect(review.refusal).toContain('choose another slug')
  expect(review.warnings.join()).toContain('Preview asset is not declared')
})
