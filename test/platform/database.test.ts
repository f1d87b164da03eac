import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { migrate } from '#lib/platform/db/migrate.ts'
import { drafts, formats } from '#lib/platform/db/schema/index.ts'
import { postgresUser, reachableDataDir } from '#scripts/stack/data-location.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

describe('database', () => {
  let db: TestDatabase
  beforeAll(async () => {
    db = await createTestDatabase()
  })
  afterAll(() => db.close())

  it('has every table after migration', async () => {
    expect(await db.orm.select().from(drafts)).toEqual([])
  })

  it('orders names by bytes', async () => {
    const names = ['a', 'B', '_c', 'aB', 'A1', 'A']
    await db.orm
      .insert(formats)
      .values(names.map((formatHash) => ({ formatHash, scalars: [], connectors: 1 })))
    const rows = await db.orm.select().from(formats).orderBy(formats.formatHash)
    expect(rows.map((row) => row.formatHash)).toEqual([...names].sort())
  })

  it('migrates once when several processes start together', async () => {
    await Promise.all([migrate(db.url), migrate(db.url), migrate(db.url)])
    const rows = await db.sql`select count(*)::int as count from __drizzle_migrations`
    expect(rows[0]?.count).toBeGreaterThan(0)
  })

  it('reports an unreachable server', async () => {
    await expect(migrate('postgres://weft:secret@127.0.0.1:1/weft')).rejects.toThrow(
      /127\.0\.0\.1:1\/weft could not be migrated: nothing answers there/,
    )
    await expect(migrate('postgres://weft:secret@127.0.0.1:1/weft')).rejects.not.toThrow(/secret/)
  })

  it('reports that the database does not exist', async () => {
    const url = new URL(db.url)
    url.pathname = '/absent'
    await expect(migrate(url.href)).rejects.toThrow(/does not exist/)
  })
})

/** Only root has to put the data elsewhere. */
test.runIf(process.getuid?.() === 0)(
  'data in a folder closed to PostgreSQL moves along instead of being lost',
  () => {
    const closed = mkdtempSync(join(tmpdir(), 'weft-closed-'))
    const wanted = join(closed, 'postgres')
    mkdirSync(join(wanted, 'base'), { recursive: true })
    writeFileSync(join(wanted, 'base', 'table'), 'rows')
    const moved = reachableDataDir(wanted)
    try {
      expect(readFileSync(join(wanted, 'base', 'table'), 'utf8')).toBe('rows')
      expect(lstatSync(wanted).isSymbolicLink()).toBe(true)
      expect(moved.startsWith(closed)).toBe(false)
      expect(statSync(join(moved, 'base', 'table')).uid).toBe(postgresUser()?.uid)
      expect(reachableDataDir(wanted)).toBe(moved)
    } finally {
      for (const path of [closed, moved, `${moved}.link`]) rmSync(path, { recursive: true, force: true })
    }
    expect(existsSync(moved)).toBe(false)
  },
)
