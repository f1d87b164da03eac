import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context, Services } from '#lib/core/context/context.ts'
import { collectGarbage, deleteExpired } from '#lib/core/worlds/collect-garbage.ts'
import { listWorlds } from '#lib/core/worlds/list-worlds.ts'
import { endPreview, getPreview, PREVIEW_MS, previewWorld } from '#lib/core/worlds/preview-world.ts'
import { uploadWorld } from '#lib/core/worlds/publish-world.ts'
import { serveFile } from '#lib/core/worlds/serve-file.ts'
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
  await collectGarbage(services)
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

test('one network, its free accounts included, ends its own oldest previews, and never those of others', async () => {
  const bundle = makeBundle({ slug: 'many' })
  const preview = async (ctx: Context, client: string) => (await previewWorld({ ...ctx, client }, bundle)).id
  const honest = await preview(visitor(), '192.0.2.1')
  const flood: string[] = []
  for (let n = 0; n < 15; n += 1) {
    const by = n % 2 === 0 ? visitor() : as(`0x${n.toString(16).padStart(40, '0')}`)
    flood.push(await preview(by, `2001:db8:1:${n}::/64`))
  }
  const live = await Promise.all(flood.map((id) => getPreview(services, id)))
  expect(live.map((found) => found !== undefined)).toEqual([...Array(3).fill(false), ...Array(12).fill(true)])
  expect(await getPreview(services, honest)).toBeDefined()
})

test('beyond the quota of all, the oldest preview of the network with most ends', async () => {
  const { sql } = started.db
  const bundle = makeBundle({ slug: 'many' })
  const honest = (await previewWorld({ ...visitor(), client: '192.0.2.1' }, bundle)).id
  // Eight networks of 290 MiB each.
  await sql`
    insert into world_previews (id, network, lease_id, bundle_hash, manifest, bytes, expires_at)
    select 'prv_' || network || '_' || n, 'network ' || network, 'none', 'none', '{}', 29 * 1024 * 1024,
      ${new Date(services.clock().getTime() + PREVIEW_MS).toISOString()}::timestamptz + n * interval '1 second'
    from generate_series(1, 8) network, generate_series(1, 10) n`
  await previewWorld({ ...visitor(), client: '192.0.2.2' }, bundle)
  const [left] =
    await sql`select count(*)::int as count from world_previews where id like 'prv_%' and lease_id = 'none'`
  expect(left).toEqual({ count: 70 })
  expect(await getPreview(services, honest)).toBeDefined()
})
