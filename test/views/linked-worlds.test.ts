import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import { worldsOf } from '#lib/views/world.ts'
import { project } from '#test/server/chain/projection.ts'
import { contextOf } from '#test/support/context.ts'
import { startServices, type TestServices } from '#test/support/services.ts'

const LOOM = '1b'.repeat(32)
const dimensions = [{ transformations: [], composite: '', bindings: [] }]
const piece = buildConnector(
  { name: 'Piece', dimensions, conditionName: '', conditionArgs: [], staticRi: [] },
  () => undefined,
)

let services: TestServices

beforeAll(async () => {
  services = await startServices()
  await project(services.db, piece)
  await services.db.sql`
    insert into worlds (id, slug, owner, status, version, bundle_hash, manifest_hash, entry_path, surfaces, permissions,
      manifest, search_text, created_at, updated_at)
    select slug, slug, '0x', 'active', '1', bundle, 'x', 'index.html', '{studio-plugin}', '{}',
      jsonb_build_object('name', name, 'slug', slug), '', now(), now()
    from (values ('piano', ${'1a'.repeat(32)}, 'Piano'), ('loom', ${LOOM}, 'Loom')) worlds(slug, bundle, name)`
})
afterAll(() => services?.close())

/** Slugs of the Worlds that are marked as current, and as the author's. */
async function marked(bundle: string, slug: string) {
  const world = { bundle_hash: bundle, slug }
  const worlds = await worldsOf(contextOf(services.services), 'Piece', {
    piece: { present: { particles: 8, tempo: 96, loop: true, world } },
    among: [],
  })
  return worlds.map((each) => [each.slug, each.isCurrent, each.isOwn])
}

test('the World of the bundle that draws a piece is current, whatever slug its author claims', async () => {
  expect(await marked(LOOM, 'piano')).toEqual([['loom', true, true]])
})

test('the slug counts for a bundle that was never published here', async () => {
  expect(await marked('1c'.repeat(32), 'piano')).toEqual([['piano', true, true]])
})
