import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { type SharedDatabase, TEMPLATE_DATABASE } from './shared-services.ts'

export interface TestDatabase extends Database {
  readonly url: string
}

/** An empty, migrated database of the caller's own. `close()` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { inject } = await import('vitest')
  const { admin } = await shared<SharedDatabase>(inject('sharedServices'), 'database')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(admin, (sql) => sql.unsafe(`create database ${name} template ${TEMPLATE_DATABASE}`))
  const url = new URL(admin)
  url.pathname = `/${name}`
  const database = createDatabase(url.href)
  return {
    ...database,
    url: url.href,
    close: async () => {
      await database.close()
      await administer(admin, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`))
    },
  }
}

async function administer(url: string, action: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await action(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Returns one of the servers that the test run shares, started at the first call. */
export async function shared<T>(address: string, name: 'database' | 'chain'): Promise<T> {
  const response = await fetch(`${address}/${name}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as T
}
