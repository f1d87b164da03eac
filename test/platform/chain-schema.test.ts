import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainDatabaseUrl, defaultDatabaseUrl, schemaOfUrl } from '#lib/platform/db/chain-schema.ts'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { migrate, pendingMigrations } from '#lib/platform/db/migrate.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

let first: TestDatabase
let second: Database

beforeAll(async () => {
  first = await createTestDatabase()
  const url = chainDatabaseUrl(first.url, 8453)
  second = createDatabase(url)
})
afterAll(async () => {
  await second?.close()
  await first?.close()
})

test('an address names the schema of its chain', () => {
  const url = chainDatabaseUrl('postgres://weft:pw@host:5432/weft?sslmode=require', 10)
  expect(schemaOfUrl(url)).toBe('chain_10')
  expect(defaultDatabaseUrl(url)).toBe('postgres://weft:pw@host:5432/weft?sslmode=require')
  expect(schemaOfUrl('postgres://host/weft')).toBe('public')
  expect(schemaOfUrl('postgres://host/weft?search_path=own')).toBe('public')
})

test('a schema that is not there lacks every migration', async () => {
  const pending = await pendingMigrations(second.sql, 'chain_8453')
  expect(pending.length).toBe((await pendingMigrations(second.sql, 'chain_1')).length)
  expect(pending.length).toBeGreaterThan(20)
})

test('a further chain has tables of its own, but for those of accounts and Worlds', async () => {
  await migrate(chainDatabaseUrl(first.url, 8453))
  expect(await pendingMigrations(second.sql, 'chain_8453')).toEqual([])
  const entity = (name: string) => ({
    kind: 'transformation',
    name,
    owner: `0x${'1'.repeat(40)}`,
    address: `0x${'2'.repeat(40)}`,
    content_hash: '0x01',
    metadata_hash: '0x02',
    block_number: 1,
    block_hash: '0x03',
    tx_hash: '0x04',
    tx_index: 0,
    log_index: 0,
  })
  await first.sql`insert into entities ${first.sql([entity('step'), entity('stride')])}`
  await second.sql`insert into entities ${second.sql(entity('step'))}`
  const totals = ({ sql }: Database) => sql`select total from network_totals where counted = 'transformation'`
  // Triggers count in the schema of their table.
  expect(await totals(first)).toEqual([{ total: '2' }])
  expect(await totals(second)).toEqual([{ total: '1' }])
  const account = `0x${'3'.repeat(40)}`
  await second.sql`insert into users (address, created_at, updated_at) values (${account}, now(), now())`
  expect(await first.sql`select address from users`).toEqual([{ address: account }])
  await second.sql`
    insert into marks (account, mark, kind, name, created_at) values (${account}, 'like', 'transformation', 'step', now())`
  expect(await first.sql`select 1 from marks`).toHaveLength(0)
})

test('all chains of a database are migrated together, and once', async () => {
  const [newest] = await second.sql<{ hash: string }[]>`
    delete from __drizzle_migrations where id = (select max(id) from __drizzle_migrations) returning hash`
  expect(newest).toBeDefined()
  // The newest migration again would fail over its own tables: it is the other chain's state that is looked at.
  await expect(migrate(first.url)).rejects.toThrow(/could not be migrated/)
  await second.sql`
    insert into __drizzle_migrations (hash, created_at)
    select hash, created_at from public.__drizzle_migrations order by created_at desc limit 1`
  await Promise.all([migrate(first.url), migrate(chainDatabaseUrl(first.url, 8453))])
})
