import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstShown } from '#lib/core/entities/first-shown.ts'
import { setHidden } from '#lib/core/entities/hide-entity.ts'
import { mostUsedEntities, newestEntities } from '#lib/core/entities/published-lists.ts'
import { findEntities } from '#lib/features/search/find-entities.ts'
import { readQueryText } from '#lib/features/search/query.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await createTestDatabase()
  await db.sql`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, block_number, block_hash, tx_hash,
      tx_index, log_index)
    select kind, name, '0x01', '0x', '0x', '0x', 1, '0x', '0x', 0, place
    from (values ('connector', 'rude_words', 1), ('connector', 'kind_words', 2), ('condition', 'twin', 3),
      ('connector', 'twin', 4)) listed(kind, name, place)`
  await db.sql`
    insert into entity_references (kind, name, connector, uses)
    values ('connector', 'rude_words', 'kind_words', 1), ('connector', 'kind_words', 'twin', 1)`
})
afterAll(() => db.close())

async function listed() {
  const kind = 'connector'
  const lists = await Promise.all([
    firstShown({ db }, { kind, limit: 10 }),
    newestEntities({ db }, { kind, limit: 10 }),
    mostUsedEntities({ db }, { kind, limit: 10 }),
    db.sql.begin((tx) => findEntities(tx, kind, readQueryText('rude_words'), { most: 10, alike: true })),
  ])
  return lists.map((list) => list.some(({ name }) => name === 'rude_words'))
}

async function run(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/hide-entity.ts', ...args], {
    env: { ...process.env, DATABASE_URL: db.url },
  })
  return stdout
}

test('an operator hides an entity from lists and search, and lifts it again, on record', async () => {
  expect(await listed()).toEqual([true, true, true, true])
  expect(await run('rude_words', '--because', 'insults', '--by', 'ada')).toContain('rude_words is hidden')
  expect(await listed()).toEqual([false, false, false, false])
  expect(await run('rude_words', '--lift', '--by', 'ben')).toContain('again')
  expect(await listed()).toEqual([true, true, true, true])
  expect(await db.sql`select actor, act, subject, reason from audit_log order by id`).toEqual([
    { actor: 'ada', act: 'hide_entity', subject: 'connector/rude_words', reason: 'insults' },
    { actor: 'ben', act: 'show_entity', subject: 'connector/rude_words', reason: '' },
  ])
})

test('unknown names, names of several kinds and unknown options change nothing', async () => {
  const input = { name: 'twin', hidden: true, operator: 'ada', reason: '' }
  const ctx = { db, clock: () => new Date() }
  await expect(setHidden(ctx, input)).rejects.toThrow(/several kinds: condition, connector/)
  await expect(setHidden(ctx, { ...input, name: 'nobody' })).rejects.toThrow(/Nothing published/)
  expect(await setHidden(ctx, { ...input, kind: 'condition' })).toBe('condition')
  // Taken as a second word, it would hide the entity instead.
  await expect(run('twin', '--lfit')).rejects.toMatchObject({ code: 1 })
  expect(await db.sql`select kind, name from hidden_entities`).toEqual([{ kind: 'condition', name: 'twin' }])
})
