import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPlace, readWall, type WallQuery, writePlace } from '#lib/features/pieces/wall.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { accountOf } from '#test/support/large-network/network.ts'

const FLOODER = accountOf(99)
const HARP = 'ab'.repeat(32)
const CLOTH = 'cd'.repeat(32)
const DAY_MS = 24 * 3_600_000
const EVERYTHING: WallQuery = { limit: 24 }

let db: TestDatabase
let block = 100

beforeAll(async () => {
  db = await createTestDatabase()
  await db.sql`
    insert into worker_state
      (id, chain_id, registry, processed_block, head_block, safe_block, finalized_block, last_stream_seq, updated_at_ms)
    values (1, 31337, '0x', 1, 1, 1, 1, 0, 0)`
})
afterAll(() => db.close())

interface Published {
  readonly bundle?: string
  readonly title?: string | null
  readonly day?: number
}

/** Connectors of one account in one block, pieces unless their title is null. */
async function publish(
  owner: string,
  names: readonly string[],
  { bundle, title = 'A title', day = 0 }: Published = {},
): Promise<void> {
  block++
  await db.sql`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, title, presentation, block_number,
      block_hash, tx_hash, tx_index, log_index)
    select 'connector', name, ${owner}, '0x', '0x', '0x', ${title}::text,
      case when ${bundle ?? null}::text is not null
        then jsonb_build_object('world', jsonb_build_object('bundle_hash', ${bundle ?? null}::text)) end,
      ${block}, '0x', '0x', 0, place
    from unnest(${[...names]}::text[]) with ordinality as listed(name, place)`
  await db.sql`
    insert into feed_items (feed_id, event_type, status, visible, tx_hash, block_number, block_hash, tx_index, log_index,
      history_cursor, created_at_ms, updated_at_ms, projector_version, kind, name, owner)
    select '31337:connector_added:' || name, 'connector_added', 'finalized', true, '0x', ${block}, '0x', 0, 0,
      'x' || name, ${day * DAY_MS}, 0, 1, 'connector', name, ${owner} from unnest(${[...names]}::text[]) name`
}

async function names(query: Partial<WallQuery> = {}): Promise<readonly string[]> {
  return (await readWall({ db }, { ...EVERYTHING, ...query })).pieces.map(({ name }) => name)
}

/** All pages, one after the other, by the places that addresses carry. */
async function all(query: Partial<WallQuery> = {}): Promise<readonly string[]> {
  const found: string[] = []
  let after: WallQuery['after']
  do {
    const page = await readWall({ db }, { ...EVERYTHING, ...query, after })
    found.push(...page.pieces.map(({ name }) => name))
    after = page.next && readPlace(writePlace(page.next))
    expect(page.next === undefined).toBe(after === undefined)
  } while (after !== undefined)
  return found
}

function namesOf(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}_${String(index).padStart(3, '0')}`)
}

/** Rows whose lists or turns are not those that the entities have. */
async function wrongPlaces(): Promise<readonly unknown[]> {
  return db.sql`
    with counted as (
      select s.scope, e.name, e.owner, least(10, row_number() over (
        partition by s.scope, e.owner order by e.block_number desc, e.tx_index desc, e.log_index desc) - 1)::int as turn
      from entities e cross join lateral unnest(wall_scopes(e.presentation, exists (
        select from entity_origins o where o.kind = 'connector' and o.name = e.name))) s(scope)
      where e.kind = 'connector' and (e.title is not null or e.presentation is not null)
    ), kept as (select scope, name, owner, turn from wall_places)
    (select * from counted except select * from kept) union all (select * from kept except select * from counted)`
}

test('the newest of every account comes first, then the second of everybody; parts are on no wall', async () => {
  await publish(accountOf(1), ['one_a', 'one_b'], { bundle: HARP })
  await publish(accountOf(2), ['two_a'])
  await publish(accountOf(3), ['part'], { title: null })
  await publish(accountOf(3), ['three_a'], { bundle: CLOTH, title: null })
  expect(await names()).toEqual(['three_a', 'two_a', 'one_b', 'one_a'])
  expect(await wrongPlaces()).toEqual([])
})

test('an account that floods the wall has one place before the second of anybody, and every page is reached', async () => {
  const flood = namesOf('flood', 90)
  await publish(FLOODER, flood)
  const first = await names({ limit: 5 })
  expect(first).toEqual(['flood_089', 'three_a', 'two_a', 'one_b', 'flood_088'])
  const found = await all({ limit: 7 })
  expect(found).toHaveLength(94)
  expect(new Set(found).size).toBe(94)
  expect(found.slice(-80)).toEqual(flood.slice(0, 80).toReversed())
  expect(await wrongPlaces()).toEqual([])
})

test('filters: by World in several versions, remixed, of a time, by followed accounts; and what is hidden', async () => {
  expect(await names({ bundles: [HARP] })).toEqual(['one_b', 'one_a'])
  expect(await names({ bundles: [HARP, CLOTH] })).toEqual(['three_a', 'one_b', 'one_a'])
  expect(await names({ bundles: [] })).toEqual([])

  await db.sql`
    insert into entity_origins values ('connector', 'one_a', 'connector', 'two_a', 101, 0, 1),
      ('connector', 'two_a', 'connector', 'part', 102, 0, 1), ('connector', 'part', 'connector', 'one_a', 103, 0, 1)`
  expect(await names({ remixed: true })).toEqual(['two_a', 'one_a'])
  expect(await names({ remixed: true, bundles: [HARP] })).toEqual(['one_a'])
  const { pieces } = await readWall({ db }, { ...EVERYTHING, remixed: true })
  expect(pieces.map(({ madeFrom }) => madeFrom)).toEqual([
    { name: 'part', title: undefined },
    { name: 'two_a', title: 'A title' },
  ])

  await publish(accountOf(4), ['four_old'], { day: 2 })
  await publish(accountOf(4), ['four_new'], { day: 9 })
  expect(await names({ sinceMs: 2 * DAY_MS })).toEqual(['four_new', 'four_old'])
  expect(await names({ sinceMs: 3 * DAY_MS, limit: 1 })).toEqual(['four_new'])

  await db.sql`
    insert into users (address, created_at, updated_at)
    select address, now(), now() from unnest(${[1, 2, 4, 5].map(accountOf)}::text[]) address`
  await db.sql`
    insert into follows (follower, followed, created_at)
    select ${accountOf(5)}, followed, now() from unnest(${[1, 2, 4].map(accountOf)}::text[]) followed`
  expect(await names({ follower: accountOf(5) })).toEqual(['four_new', 'two_a', 'one_b', 'four_old', 'one_a'])
  expect(await all({ follower: accountOf(5), limit: 2 })).toHaveLength(5)
  expect(await names({ follower: accountOf(1) })).toEqual([])
  await db.sql`update users set status = 'suspended' where address = ${accountOf(4)}`
  expect(await names({ follower: accountOf(5) })).toEqual(['two_a', 'one_b', 'one_a'])

  await db.sql`insert into hidden_entities (kind, name) values ('connector', 'two_a')`
  expect(await names({ follower: accountOf(5) })).toEqual(['one_b', 'one_a'])
  // A remix does not show the title of what is hidden.
  const remixed = await readWall({ db }, { ...EVERYTHING, remixed: true })
  expect(remixed.pieces).toMatchObject([{ name: 'one_a', madeFrom: undefined }])
  await db.sql`delete from hidden_entities`
  expect(await wrongPlaces()).toEqual([])
})

test('pages of followed accounts have the order of the wall', async () => {
  const followed = [FLOODER, accountOf(1)]
  await db.sql`
    insert into users (address, created_at, updated_at)
    select address, now(), now() from unnest(${[FLOODER, accountOf(6)]}::text[]) address`
  await db.sql`
    insert into follows (follower, followed, created_at)
    select ${accountOf(6)}, followed, now() from unnest(${followed}::text[]) followed`
  const own = new Set(
    (await db.sql<{ name: string }[]>`select name from entities where owner = any(${followed}::text[])`).map(
      ({ name }) => name,
    ),
  )
  const ordered = (await all({ limit: 7 })).filter((name) => own.has(name))
  expect(ordered.length).toBeGreaterThan(90)
  expect(await all({ follower: accountOf(6), limit: 7 })).toEqual(ordered)
  const harped = (await all({ bundles: [HARP] })).filter((name) => own.has(name))
  expect(await all({ follower: accountOf(6), bundles: [HARP, CLOTH], limit: 1 })).toEqual(harped)
})

test('it follows what rollbacks, repairs and late words change', async () => {
  await db.sql`delete from entities where name in ('one_b', 'flood_089', 'flood_050')`
  expect(await names({ bundles: [HARP] })).toEqual(['one_a'])
  expect(await wrongPlaces()).toEqual([])
  await db.sql`update entities set presentation = null where name = 'one_a'`
  await db.sql`update entities set title = 'Late words' where name = 'part'`
  expect(await names({ bundles: [HARP] })).toEqual([])
  expect(await names({ remixed: true })).toEqual(expect.arrayContaining(['part']))
  expect(await wrongPlaces()).toEqual([])
  await db.sql`update entities set owner = ${accountOf(6)} where name like 'flood_08%'`
  expect(await wrongPlaces()).toEqual([])
  await db.sql`delete from entity_origins where name <> 'part'`
  expect(await names({ remixed: true })).toEqual(['part'])
  expect(await wrongPlaces()).toEqual([])
  await db.sql`truncate entity_origins`
  expect(await names({ remixed: true })).toEqual([])
  await db.sql`truncate entities`
  expect(await names()).toEqual([])
})

test.each(['', '1', '1.2.3', '11.1.1.1', '0.-1.0.0', '0.1.1.1.1', 'x'])('%j is no place', (text) => {
  expect(readPlace(text)).toBeUndefined()
})

test('pieces of one account that name a World are found behind those of a page of others', async () => {
  const bundle = 'ef'.repeat(32)
  await publish(accountOf(200), ['own_old', 'own_new'], { bundle })
  for (let other = 0; other < 24; other++)
    await publish(accountOf(201 + other), [`other_${other}`], { bundle })
  const query = { bundles: [bundle], limit: 24 }
  expect((await names(query)).filter((name) => name.startsWith('own_'))).toEqual([])
  expect(await names({ ...query, owner: accountOf(200) })).toEqual(['own_new', 'own_old'])
  expect(await all({ ...query, owner: accountOf(200), limit: 1 })).toEqual(['own_new', 'own_old'])
  expect(await names({ ...query, owner: accountOf(300) })).toEqual([])
})

describe('a piece names the World of the bundle that it is drawn by', () => {
  const [PIANO, LOOM, UNKNOWN] = ['1a'.repeat(32), '1b'.repeat(32), '1c'.repeat(32)]
  const owner = accountOf(70) as Address
  const worldOf = async (bundle: string, slug: string) => {
    await db.sql`
      update entities set presentation = ${JSON.stringify({ world: { bundle_hash: bundle, slug } })}::text::jsonb
      where name = 'in_a_world'`
    const { pieces } = await readWall({ db }, { ...EVERYTHING, owner })
    return pieces.map(({ worldName }) => worldName)
  }

  beforeAll(async () => {
    await db.sql`
      insert into worlds (id, slug, owner, status, version, bundle_hash, manifest_hash, entry_path, surfaces,
        permissions, manifest, search_text, created_at, updated_at)
      select slug, slug, '0x', 'active', '1', bundle, 'x', 'index.html', '{world-page}', '{}',
        jsonb_build_object('name', name), '', now(), now()
      from (values ('piano', ${PIANO}, 'Piano'), ('loom', ${LOOM}, 'The loom')) worlds(slug, bundle, name)`
    await publish(owner, ['in_a_world'])
  })

  test('whatever slug its author claims', async () => {
    expect(await worldOf(LOOM, 'piano')).toEqual(['The loom'])
  })

  test('as it is called now, where that is an earlier version', async () => {
    await db.sql`
      update worlds set bundle_hash = ${'1d'.repeat(32)}, manifest = '{"name":"The new loom"}' where id = 'loom'`
    await db.sql`
      insert into world_versions (world_id, bundle_hash, manifest_hash, replaced_at) values ('loom', ${LOOM}, 'x', now())`
    expect(await worldOf(LOOM, 'piano')).toEqual(['The new loom'])
  })

  test('by its slug only where the bundle was never published here', async () => {
    expect(await worldOf(UNKNOWN, 'piano')).toEqual(['Piano'])
    expect(await worldOf(UNKNOWN, 'none')).toEqual([undefined])
  })

  test('not at all once that was deleted', async () => {
    await db.sql`update worlds set status = 'deleted' where id = 'loom'`
    expect(await worldOf(LOOM, 'piano')).toEqual([undefined])
  })
})
