import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectorsFor } from '#lib/core/entities/connectors-for.ts'
import { earliestConnectors, firstConnectors } from '#lib/core/entities/first-connectors.ts'
import { firstShown } from '#lib/core/entities/first-shown.ts'
import { firstWorlds } from '#lib/core/worlds/list-worlds.ts'
import { MAX_MARKS } from '#lib/features/social/marks.ts'
import { ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { heroConnector } from '#lib/views/home.ts'
import { testConfig } from '#test/support/config.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { fill } from '#test/support/large-network/fill.ts'
import { accountOf } from '#test/support/large-network/network.ts'
import { type Watched, watch } from '#test/support/large-network/plans.ts'

const FLOODER = `0x${'f1'.repeat(20)}` as const
const LIMIT = 24
const PUBLISHED = 2_000
const DAY_MS = 24 * 3_600_000
/** The generated blocks are from the first hours of 1970, those of the tests from the tenth day. */
const PUBLISHED_MS = 10 * DAY_MS
function clock() {
  return new Date(PUBLISHED_MS + DAY_MS)
}

let db: TestDatabase
let watched: Watched
let block = 10_000

beforeAll(async () => {
  db = await createTestDatabase()
  await fill(db.sql, { entities: 1_200, worlds: 2, users: 2 })
  watched = watch(db.url, { enable_seqscan: 'off' })
})
afterAll(async () => {
  await watched.close()
  await db.close()
})

/** Connectors of one account, each using `uses`, in one block. */
async function publish(owner: string, names: readonly string[], uses?: string): Promise<void> {
  block++
  await db.sql`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, format_hash, block_number, block_hash,
      tx_hash, tx_index, log_index)
    select 'connector', name, ${owner}, '0x', '0x', '0x', (select format_hash from formats order by connectors desc limit 1),
      ${block}, '0x', '0x', 0, place
    from unnest(${[...names]}::text[]) with ordinality as listed(name, place)`
  await db.sql`
    insert into feed_items (feed_id, event_type, status, visible, tx_hash, block_number, block_hash, tx_index, log_index,
      history_cursor, created_at_ms, updated_at_ms, projector_version, kind, name, owner)
    select '31337:connector_added:' || name, 'connector_added', 'finalized', true, '0x', ${block}, '0x', 0, 0, 'x' || name,
      ${PUBLISHED_MS}, 0, 1, 'connector', name, ${owner} from unnest(${[...names]}::text[]) name`
  if (uses === undefined) return
  await db.sql`
    insert into entity_references (kind, name, connector, uses)
    select 'transformation', ${uses}, name, 1 from unnest(${[...names]}::text[]) name`
}

async function shown(kind: EntityKind, featured: readonly string[] = []) {
  return firstShown(
    { db, clock, config: testConfig({ featured: { connectors: [...featured], worlds: [] } }) },
    { kind, limit: LIMIT },
  )
}

/** A generated transformation that only accounts of a test use. */
async function unused(owner: string): Promise<string> {
  const [row] = await db.sql<{ name: string }[]>`
    select name from entities e where kind = 'transformation' and owner <> ${owner}
      and not exists (select from entity_references r where r.kind = e.kind and r.name = e.name) limit 1`
  return row!.name
}

test('what the operator chose comes first, in that order, whatever else the setting names', async () => {
  const chosen = (await earliestConnectors({ db })).slice(3, 6).map(({ name }) => name)
  const list = await shown('connector', [chosen[2]!, 'unknown', 'a-world', chosen[0]!])
  expect(list.slice(0, 2)).toMatchObject([
    { name: chosen[2], because: 'featured' },
    { name: chosen[0], because: 'featured' },
  ])
  expect(new Set(list.map(({ name }) => name)).size).toBe(LIMIT)
})

test('an account has one vote, and an own use none', async () => {
  const owner = accountOf(0)
  const used = await unused(owner)
  const isTrending = async () =>
    (await shown('transformation')).some(({ name, because }) => name === used && because === 'trending')
  await publish(`0x${'01'.repeat(20)}`, ['vote_a', 'vote_b', 'vote_c'], used)
  expect(await isTrending()).toBe(false)
  const [maker] = await db.sql<{ owner: string }[]>`select owner from entities where name = ${used}`
  await publish(maker!.owner, ['vote_own'], used)
  expect(await isTrending()).toBe(false)
  await publish(`0x${'02'.repeat(20)}`, ['vote_d'], used)
  expect(await isTrending()).toBe(true)
  const inTwoWeeks = () => new Date(PUBLISHED_MS + 14 * DAY_MS)
  const later = await firstShown({ db, clock: inTwoWeeks }, { kind: 'transformation', limit: LIMIT })
  expect(later.some(({ because }) => because === 'trending')).toBe(false)
})

test('two accounts that like or remix it make it trend, an own or a suspended one does not', async () => {
  const used = await unused(accountOf(1))
  const [maker] = await db.sql<{ owner: string }[]>`
    select owner from entities where kind = 'transformation' and name = ${used}`
  const isTrending = async () =>
    (await shown('transformation')).some(({ name, because }) => name === used && because === 'trending')
  const like = async (account: string) => {
    await db.sql`
      insert into users (address, created_at, updated_at) values (${account}, now(), now()) on conflict do nothing`
    await db.sql`
      insert into marks (account, mark, kind, name, created_at)
      values (${account}, 'like', 'transformation', ${used}, ${new Date(PUBLISHED_MS).toISOString()})`
  }
  await like(maker!.owner)
  await like(`0x${'11'.repeat(20)}`)
  await like(`0x${'12'.repeat(20)}`)
  expect(await isTrending()).toBe(true)
  await db.sql`update users set status = 'suspended' where address = ${`0x${'12'.repeat(20)}`}`
  expect(await isTrending()).toBe(false)
  await publish(`0x${'13'.repeat(20)}`, ['remix_of_it'])
  await db.sql`
    insert into entity_origins (kind, name, origin_kind, origin_name, block_number, tx_index, log_index)
    values ('connector', 'remix_of_it', 'transformation', ${used}, ${block}, 0, 1)`
  expect(await isTrending()).toBe(true)
  await db.sql`delete from marks`
  await db.sql`delete from entity_origins where name = 'remix_of_it'`
})

test('Worlds that are uploaded later do not come onto the first page, unless the operator chose them', async () => {
  const first = async (featured: readonly string[] = []) =>
    (await firstWorlds({ db }, { limit: 4, featured })).map(({ manifest }) => manifest.slug)
  const upload = (from: number, to: number, owner: string) => db.sql`
    insert into worlds (id, slug, owner, status, version, bundle_hash, manifest_hash, entry_path, surfaces, permissions,
      manifest, search_text, created_at, updated_at)
    select 'wld_' || n, 'many-' || n, ${owner}, 'active', '1.0.0', 'x', 'x', 'index.html', '{world-page}', '{}',
      jsonb_build_object('slug', 'many-' || n, 'preview', 'preview.png', 'permissions', '[]'::jsonb), '',
      now() + n * interval '1 second', now() + n * interval '1 second'
    from generate_series(${from}::int, ${to}::int) n`
  await upload(1, 6, accountOf(3))
  const before = await first()
  expect(before).toHaveLength(4)
  await upload(100, 140, FLOODER)
  expect(await first()).toEqual(before)
  expect(await first(['many-120'])).toEqual(['many-120', ...before.slice(0, 3)])
})

test('twelve free accounts of one network that like a piece are one vote', async () => {
  const liked = await unused(accountOf(3))
  const isTrending = async () =>
    (await shown('transformation')).some(({ name, because }) => name === liked && because === 'trending')
  const like = async (index: number, network: string | null) => {
    const account = `0x${(0xfa00 + index).toString(16).padStart(40, '0')}`
    const at = new Date(PUBLISHED_MS).toISOString()
    await db.sql`
      insert into users (address, created_at, updated_at, network) values (${account}, ${at}, ${at}, ${network})`
    await db.sql`
      insert into marks (account, mark, kind, name, created_at) values (${account}, 'like', 'transformation', ${liked}, ${at})`
  }
  for (let index = 0; index < 12; index += 1) await like(index, 'one network')
  expect(await isTrending()).toBe(false)
  await like(12, 'another network')
  expect(await isTrending()).toBe(true)
  await db.sql`delete from marks`
})

test('an account that likes as much as it may leaves the votes of others', async () => {
  const liked = await unused(accountOf(2))
  const like = (account: string, names: readonly string[], daysLater: number) => db.sql`
    insert into marks (account, mark, kind, name, created_at)
    select ${account}, 'like', 'transformation', name, ${new Date(PUBLISHED_MS + daysLater * DAY_MS).toISOString()}
    from unnest(${[...names]}::text[]) name`
  const accounts = ['21', '22'].map((digits) => `0x${digits.repeat(20)}`)
  await db.sql`
    insert into users (address, created_at, updated_at)
    select address, now(), now() from unnest(${[...accounts, FLOODER]}::text[]) address`
  for (const account of accounts) await like(account, [liked], 0)
  await like(
    FLOODER,
    Array.from({ length: MAX_MARKS.like }, (_, index) => `anything_${index}`),
    0.5,
  )
  const list = await shown('transformation')
  expect(list).toContainEqual(expect.objectContaining({ name: liked, because: 'trending' }))
  await db.sql`delete from marks`
})

describe(`after one account published ${PUBLISHED} connectors`, () => {
  const names = Array.from({ length: PUBLISHED }, (_, index) => `flood_${index}`)
  let before: Awaited<ReturnType<typeof firstScreen>>

  async function firstScreen() {
    const lists = await Promise.all(ENTITY_KINDS.map((kind) => shown(kind)))
    const ctx = { db, clock, config: testConfig() }
    return { lists, hero: heroConnector(await firstConnectors(ctx), await earliestConnectors(ctx)) }
  }

  beforeAll(async () => {
    before = await firstScreen()
    await publish(FLOODER, names, await unused(FLOODER))
  })

  test('the first screen has one line more, and keeps its connector and its order', async () => {
    const after = await firstScreen()
    expect(after.hero).toEqual(before.hero)
    after.lists.forEach((list, index) => {
      const others = list.filter(({ owner }) => owner !== FLOODER)
      expect(list.length - others.length).toBeLessThanOrEqual(1)
      expect(before.lists[index]!.slice(0, others.length)).toEqual(others)
    })
  })

  test('no account follows itself among what is new', async () => {
    const recent = (await shown('connector')).filter(({ because }) => because === 'new')
    expect(recent.length).toBeGreaterThan(10)
    recent.forEach(({ owner }, index) => {
      expect(recent[index + 1]?.owner).not.toBe(owner)
    })
  })

  test('a World of the format is offered others before the second of the account', async () => {
    const [format] = await db.sql<{ hash: `0x${string}` }[]>`
      select format_hash as hash from formats order by connectors desc limit 1`
    const found = await connectorsFor(
      { db, clock },
      { names: [], formatHashes: [format!.hash], carrying: [] },
      LIMIT,
    )
    const [, second] = found.flatMap(({ owner }, index) => (owner === FLOODER ? [index] : []))
    expect(second).toBeGreaterThan(5)
  })

  test('it is read by indexes, without walking what the account published', async () => {
    const costs = await watched.costsOf((ctx) =>
      firstShown({ ...ctx, clock }, { kind: 'connector', limit: LIMIT }),
    )
    const read = costs.flatMap(({ nodes }) => nodes.filter(({ table }) => table !== undefined))
    expect(read.filter(({ type, table }) => type === 'Seq Scan' && table !== 'worker_state')).toEqual([])
    expect(Math.max(...read.map(({ rows }) => rows))).toBeLessThan(500)
  })

  test('the list of one account alone has ten', async () => {
    await db.sql`delete from entities where owner <> ${FLOODER}`
    expect(await shown('connector')).toHaveLength(10)
  })
})
