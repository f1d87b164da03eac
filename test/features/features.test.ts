import { existsSync, readdirSync } from 'node:fs'
import { getTableName, is, Table } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { FEATURE_SETTINGS } from '#lib/features/config.ts'
import { features } from '#lib/features/index.ts'

const ROOT = new URL('../../lib/features/', import.meta.url)
const folders = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

test('every settings.ts is that of its feature, and is read', async () => {
  const withSettings = folders.filter((folder) => has(folder, 'settings.ts'))
  expect(FEATURE_SETTINGS.map(({ feature }) => feature).sort()).toEqual(withSettings.sort())
  const own = features.flatMap(({ settings }) => (settings === undefined ? [] : [settings]))
  expect(new Set(own)).toEqual(new Set(FEATURE_SETTINGS))
})

function has(folder: string, file: string): boolean {
  return existsSync(new URL(`${folder}/${file}`, ROOT))
}

test('every feature.ts is in the list, under the name of its folder', () => {
  expect(features.map(({ name }) => name).sort()).toEqual(
    folders.filter((folder) => has(folder, 'feature.ts')).sort(),
  )
})

test.each(folders.filter((folder) => has(folder, 'schema.ts')))(
  '%s names all its tables, and deletes what they hold of an account',
  async (folder) => {
    const module: Readonly<Record<string, unknown>> = await import(`#lib/features/${folder}/schema.ts`)
    const tables = Object.values(module).filter((each) => is(each, Table))
    const feature = features.find(({ name }) => name === folder)
    expect((feature?.tables ?? []).map(getTableName).sort()).toEqual(tables.map(getTableName).sort())
    const ofAccounts = tables.filter(
      (table) =>
        is(table, PgTable) &&
        getTableConfig(table).foreignKeys.some(
          (key) => getTableName(key.reference().foreignTable) === 'users',
        ),
    )
    expect(feature?.deleteRows !== undefined || ofAccounts.length === 0).toBe(true)
  },
)
