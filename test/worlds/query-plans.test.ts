import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../lib/context/context.ts'
import { getWorld } from '../../lib/worlds/get-world.ts'
import { browseWorlds, listWorlds } from '../../lib/worlds/list-worlds.ts'
import { findWorldFile } from '../../lib/worlds/serve-file.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
  // Enough rows for the planner to care; deleted Worlds are most of them, and one surface is rare.
  await db.sql`
    insert into worlds (id, slug, owner, status, version, bundle_hash, manifest_hash, entry_path, surfaces, permissions,
      manifest, search_text, created_at, updated_at)
    select 'wld_' || i, 'slug-' || i, 'o' || i % 50, case when i % 3 = 0 then 'active' else 'deleted' end, '1', '', '',
      'index.html', case when i % 300 = 0 then '{studio-plugin}' else '{world-page}' end::text[], '{}', '{}',
      'world number ' || i, now(), timestamptz 'epoch' + i * interval '1 second'
    from generate_series(1, 30000) i`
  await db.sql`insert into blobs select 'hash' || i, 1 from generate_series(1, 20000) i`
  await db.sql`
    insert into world_files (world_id, path, hash, size)
    select 'wld_' || i % 300 * 3 + 3, i || '.js', 'hash' || i, 1 from generate_series(1, 20000) i`
  // VACUUM, not only ANALYZE: new rows of a GIN index are in its pending list until they are merged.
  await db.sql`vacuum analyze`
})
afterAll(() => db.close())

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const GALLERY = {
  search: '',
  surface: undefined,
  format: undefined,
  permission: undefined,
  order: 'changed',
  limit: 5,
} as const

/** How the database reaches the rows of each statement that `verb` sends. */
async function scansOf(verb: (ctx: Pick<Context, 'db' | 'clock'>) => Promise<unknown>): Promise<Plan[]> {
  const sent: { text: string; parameters: unknown[] }[] = []
  const sql = postgres(db.url, {
    max: 1,
    fetch_types: false,
    debug: (_connection, text, parameters) => sent.push({ text, parameters }),
  })
  try {
    await verb({ db: { ...db, sql }, clock: () => new Date() })
  } finally {
    await sql.end()
  }
  const scans: Plan[] = []
  const collect = (plan: Plan) => {
    if (plan['Relation Name'] !== undefined) scans.push(plan)
    for (const part of plan.Plans ?? []) collect(part)
  }
  expect(sent).toHaveLength(1)
  for (const { text, parameters } of sent) {
    const [row] = await db.sql.unsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      `explain (analyze, format json) ${text}`,
      parameters as string[],
    )
    collect(row!['QUERY PLAN'][0]!.Plan)
  }
  return scans
}

describe('queries reach their rows by an index', () => {
  test.each<[string, (ctx: Pick<Context, 'db' | 'clock'>) => Promise<unknown>, number]>([
    ['a World', (ctx) => getWorld(ctx, 'wld_15000'), 1],
    ['a file', (ctx) => findWorldFile(ctx, 'wld_300', '99.js').then((file) => expect(file).toBeDefined()), 1],
    ['the newest', (ctx) => listWorlds(ctx, { page: 0, limit: 5 }), 5],
    ['a later page', (ctx) => listWorlds(ctx, { page: 3, limit: 5 }), 20],
    ['the beginning of the gallery', (ctx) => browseWorlds(ctx, { ...GALLERY, after: undefined }), 6],
    [
      'the middle of the gallery',
      (ctx) => browseWorlds(ctx, { ...GALLERY, after: { key: '15000000000', id: 'wld_15000' } }),
      7,
    ],
    [
      'the newest of a common surface',
      (ctx) => listWorlds(ctx, { page: 0, limit: 5, surface: 'world-page' }),
      5,
    ],
    [
      'the newest of a rare surface',
      (ctx) => listWorlds(ctx, { page: 0, limit: 5, surface: 'studio-plugin' }),
      5,
    ],
    ['a common word', (ctx) => listWorlds(ctx, { page: 0, limit: 5, search: 'NUMBER' }), 5],
  ])('%s, and read no more than they show', async (_what, verb, most) => {
    for (const scan of await scansOf(verb)) {
      expect(scan['Node Type']).toMatch(/^Index/)
      expect(scan['Actual Rows'], scan['Index Name']).toBeLessThanOrEqual(most)
      expect(scan['Rows Removed by Filter'] ?? 0, scan['Index Name']).toBeLessThanOrEqual(1)
    }
  })

  test('a rare word reads the Worlds that have it', async () => {
    for (const scan of await scansOf((ctx) =>
      listWorlds(ctx, { page: 0, limit: 5, search: 'number 29997' }),
    )) {
      expect(scan['Node Type']).toMatch(/^(?:Bitmap|Index)/)
      expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(10)
    }
  })
})
