import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BrowseQuery,
  browseWorlds,
  searchText,
  type WorldPlace,
  worldFormats,
} from '#lib/core/worlds/list-worlds.ts'
import { galleryHref, galleryParams, readGalleryQuery } from '#lib/views/gallery-query.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

const HASH = 'ab'.repeat(32)
const ALL: BrowseQuery = {
  search: '',
  surface: undefined,
  format: undefined,
  permission: undefined,
  order: 'changed',
  after: undefined,
  limit: 100,
}

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db?.close())

interface Row {
  readonly id: string
  readonly name?: string
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly surfaces?: readonly string[]
  readonly permissions?: readonly string[]
  readonly formats?: readonly string[]
  readonly status?: string
}

async function insert({ id, name = id, status = 'active', ...row }: Row): Promise<void> {
  const { createdAt = '2026-01-01', updatedAt = createdAt, formats = [] } = row
  const manifest = { name, slug: id, acceptedFormatHashes: formats }
  await db.sql`
    insert into worlds (id, slug, owner, status, version, bundle_hash, manifest_hash, entry_path, surfaces, permissions,
      manifest, search_text, created_at, updated_at)
    values (${id}, ${id}, 'o', ${status}, '1', '', '', 'index.html', ${[...(row.surfaces ?? ['world-page'])]},
      ${[...(row.permissions ?? [])]}, ${JSON.stringify(manifest)}::text::jsonb, ${searchText([name, id])}, ${createdAt}, ${updatedAt})`
}

async function idsOf(query: Partial<BrowseQuery>): Promise<string[]> {
  return (await browseWorlds({ db }, { ...ALL, ...query })).worlds.map(({ id }) => id)
}

describe('a gallery', () => {
  beforeAll(async () => {
    await insert({ id: 'a', name: 'Tide', createdAt: '2026-01-03', permissions: ['browser.audio'] })
    await insert({ id: 'b', name: 'élan', createdAt: '2026-01-01', updatedAt: '2026-01-09', formats: [HASH] })
    // Made in one moment, to the microsecond.
    await insert({ id: 'd', name: 'tide', createdAt: '2026-01-02 00:00:00.123457' })
    await insert({
      id: 'c',
      name: 'Loom\nof two lines',
      createdAt: '2026-01-02 00:00:00.123457',
      surfaces: ['studio-plugin'],
    })
    await insert({
      id: 'e',
      name: '50 % \\ _',
      createdAt: '2026-01-02 00:00:00.123456',
      permissions: ['decentralised.art.execute'],
      formats: [`0x${HASH.toUpperCase()}`, 'cd'.repeat(32)],
    })
    await insert({ id: 'gone', status: 'deleted', formats: [HASH] })
  })

  test.each([
    ['changed', ['b', 'a', 'c', 'd', 'e']],
    ['new', ['a', 'c', 'd', 'e', 'b']],
    ['name', ['e', 'c', 'a', 'd', 'b']],
  ] as const)('in the order of %s, whole and one at a time', async (order, ids) => {
    expect(await idsOf({ order })).toEqual(ids)
    const seen: string[] = []
    let after: WorldPlace | undefined
    do {
      // As the address carries it.
      const query = readGalleryQuery(
        Object.fromEntries(new URLSearchParams(galleryParams({ order, ...(after && { after }) }))),
      )
      const page = await browseWorlds({ db }, { ...query, limit: 1 })
      seen.push(...page.worlds.map(({ id }) => id))
      after = page.next
    } while (after !== undefined && seen.length < 10)
    expect(seen).toEqual(ids)
  })

  test('narrowed by every filter', async () => {
    expect(await idsOf({ surface: 'studio-plugin' })).toEqual(['c'])
    expect(await idsOf({ permission: 'browser.audio' })).toEqual(['a'])
    expect(await idsOf({ permission: 'dcn.execute' })).toEqual(['e'])
    expect(await idsOf({ permission: 'nothing' })).toEqual(['b', 'c', 'd'])
    expect(await idsOf({ format: `0x${HASH}` })).toEqual(['b', 'e'])
    expect(await idsOf({ format: `0x${HASH}`, permission: 'nothing' })).toEqual(['b'])
    expect(await idsOf({ search: 'TIDE' })).toEqual(['a', 'd'])
    expect(await idsOf({ search: 'e\u0301lan' })).toEqual(['b'])
    for (const search of ['%', '_', '\\']) expect(await idsOf({ search })).toEqual(['e'])
  })

  test('lists the formats that its Worlds name', async () => {
    expect(await worldFormats({ db }, { limit: 9 })).toEqual([
      { formatHash: `0x${HASH}`, worlds: 2, scalars: [] },
      { formatHash: `0x${'cd'.repeat(32)}`, worlds: 1, scalars: [] },
    ])
    expect(await worldFormats({ db }, { limit: 1 })).toHaveLength(1)
  })

  test('those that the operator chose come first, and on no later page', async () => {
    const featured = ['nobody', 'e', 'gone', 'c']
    expect(await idsOf({ featured })).toEqual(['e', 'c', 'b', 'a', 'd'])
    expect(await idsOf({ featured, search: 'tide' })).toEqual(['a', 'd'])
    const { worlds, next } = await browseWorlds({ db }, { ...ALL, featured, limit: 3 })
    expect(worlds.map(({ id }) => id)).toEqual(['e', 'c', 'b'])
    expect(await idsOf({ featured, after: next })).toEqual(['a', 'd'])
    // They fill a page: it is no longer than asked for, and the next one begins with the others.
    const filled = await browseWorlds({ db }, { ...ALL, featured, limit: 2 })
    expect(filled.worlds.map(({ id }) => id)).toEqual(['e', 'c'])
    const address = new URLSearchParams(galleryParams({ after: filled.next }))
    const { after } = readGalleryQuery(Object.fromEntries(address))
    expect(await idsOf({ featured, after })).toEqual(['b', 'a', 'd'])
  })

  test('later pages are stable, whatever changes', async () => {
    const first = await browseWorlds({ db }, { ...ALL, limit: 2 })
    await insert({ id: 'f', createdAt: '2026-02-01' })
    await db.sql`update worlds set updated_at = '2026-02-02' where id = 'e'`
    expect(await idsOf({ after: first.next })).toEqual(['c', 'd'])
  })
})

test('an account that uploads many Worlds has one before the second of anybody, and every page is reached', async () => {
  await db.sql`update worlds set status = 'deleted'`
  for (let index = 0; index < 6; index++)
    await insert({ id: `flood${index}`, createdAt: `2026-03-0${index + 1}` })
  await insert({ id: 'lone', createdAt: '2026-01-01' })
  await insert({ id: 'other', createdAt: '2026-01-02' })
  await db.sql`update worlds set owner = id where id in ('lone', 'other')`
  expect((await idsOf({})).slice(0, 4)).toEqual(['flood5', 'other', 'lone', 'flood4'])
  expect((await idsOf({ search: 'o' })).slice(0, 3)).toEqual(['flood5', 'other', 'lone'])
})

describe('the address of the gallery', () => {
  test('comes back as it was written', () => {
    for (const query of ['', '?q=a+b%26c', `?format=${HASH}&permission=nothing&sort=name&after=w.a.b%0Ac`]) {
      const params = Object.fromEntries(new URLSearchParams(query))
      expect(galleryHref(readGalleryQuery(params))).toBe(`/worlds${query}`)
    }
  })

  test.each([
    ['surface', '__proto__'],
    ['permission', 'constructor'],
    ['sort', 'toString'],
    ['format', 'ab'],
    ['after', 'x'],
    ['after', 'x.NaN'],
    ['after', `x.${'9'.repeat(17)}`],
    ['after', '\0.1'],
    ['q', '\0'],
  ])('%s=%j narrows nothing', (name, value) => {
    expect(galleryHref(readGalleryQuery({ [name]: value }))).toBe('/worlds')
  })
})
