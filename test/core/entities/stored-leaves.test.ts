import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDependencies } from '#lib/core/entities/load-dependencies.ts'
import {
  encodeLeaves,
  firstLabels,
  loadLeaves,
  storeArtifact,
  storedLabels,
} from '#lib/core/entities/stored-leaves.ts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { scalarLabels } from '#lib/protocol/format-hash.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { define, Shelf } from '#test/support/definitions.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db?.close())

test('leaves come back in their order, equal ones as one object', async () => {
  const shelf = new Shelf()
  const pair = shelf.connector({ name: 'pair', dimensions: [{}, {}] })
  const target = shelf.connector({ name: '__proto__', dimensions: [{}, {}, {}] })
  const host = shelf.connector({
    name: 'host',
    dimensions: [{ composite: 'pair', bindings: { 1: '__proto__' } }, {}, { composite: 'pair' }],
  })
  for (const artifact of [pair, target, host]) await storeArtifact(db.sql, artifact)
  const leaves = await loadLeaves(db.sql, host.contentHash)
  expect(leaves).toEqual(host.leaves)
  expect(new Set(leaves).size).toBe(6)
  expect(await storedLabels(db.sql, host.contentHash)).toEqual(scalarLabels(host.leaves))
})

test('a run of dimensions takes as much as one, whatever the name is', () => {
  const leaf = (connector: string, dimension: number) => ({ connector, dimension })
  const run = Array.from({ length: 4096 }, (_, dimension) => leaf('x'.repeat(128), dimension))
  expect(encodeLeaves(run)).toHaveLength(20)
  expect(encodeLeaves([leaf('a', 1), leaf('a', 0), leaf('b', 1), leaf('b', 2)])).toHaveLength(60)
})

test('labels of a format are stored up to a size, and counted', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 1, max: 128 }), (count, length) => {
      const labels = Array.from({ length: count }, (_, index) => `${'x'.repeat(length)}:${index}`)
      const { scalars, scalarsCount } = firstLabels(labels)
      expect(labels.slice(0, scalars.length)).toEqual(scalars)
      expect(JSON.stringify(scalars).length).toBeLessThan(17 * 1024)
      expect(scalarsCount).toBe(scalars.length === count ? null : count)
    }),
    { seed: 7 },
  )
})

test('what the release before stored is read', async () => {
  const before = mkdtempSync(join(tmpdir(), 'weft-migrations-'))
  cpSync('drizzle', before, { recursive: true })
  for (const file of readdirSync(before)) if (file.startsWith('0014')) rmSync(join(before, file))
  const journal = join(before, 'meta', '_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  const known = entries.filter(({ idx }: { idx: number }) => idx < 14)
  writeFileSync(journal, JSON.stringify({ ...rest, entries: known }))
  const admin = postgres(db.url, { max: 1, onnotice: () => {} })
  const name = `old_${process.pid}_${Date.now()}`
  await admin.unsafe(`create database ${name}`)
  const url = Object.assign(new URL(db.url), { pathname: `/${name}` }).href
  await migrate(url, before)

  const shelf = new Shelf()
  const pair = shelf.connector({ name: 'pair', dimensions: [{}, {}] })
  const host = shelf.connector({ name: 'host', dimensions: [{ composite: 'pair' }, {}] })
  const sql = postgres(url, { onnotice: () => {} })
  const owner: Address = `0x${'1'.repeat(40)}`
  for (const { leafCount: _, ...body } of [pair, host]) {
    const { contentHash, kind, name: called } = body
    await sql`insert into artifacts (content_hash, kind, name, body)
      values (${contentHash}, ${kind}, ${called}, ${JSON.stringify(body)}::text::jsonb)`
    await sql`insert into drafts (kind, name, owner, content_hash) values (${kind}, ${called}, ${owner}, ${contentHash})`
  }
  await migrate(url)
  try {
    expect(await loadLeaves(sql, host.contentHash)).toEqual(host.leaves)
    const over = define({ name: 'over', dimensions: [{ composite: 'host' }, { composite: 'pair' }] })
    const lookup = await loadDependencies({ db: { ...db, sql } }, over)
    expect(buildConnector(over, lookup)).toEqual(buildConnector(over, shelf.lookup))
  } finally {
    await sql.end()
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
    rmSync(before, { recursive: true })
  }
})
