import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type postgres from 'postgres'
import { migrationsFolder } from './migrate.ts'

const UNDEFINED_TABLE = '42P01'

/**
 * Names of the migrations that this program has and the database lacks, oldest first. A database that is ahead of the
 * program, as during an update of several servers, lacks none.
 *
 * @throws Error when the database does not answer.
 */
export async function pendingMigrations(
  sql: postgres.Sql,
  folder = migrationsFolder(),
): Promise<readonly string[]> {
  const newest = await newestApplied(sql)
  return readJournal(folder)
    .filter(({ when }) => when > newest)
    .map(({ tag }) => tag)
}

async function newestApplied(sql: postgres.Sql): Promise<number> {
  try {
    const [row] = await sql<{ newest: string | null }[]>`
      select max(created_at) as newest from public.__drizzle_migrations`
    return Number(row?.newest ?? -1)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return -1
    throw error
  }
}

function readJournal(folder: string): readonly { readonly tag: string; readonly when: number }[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    entries: { tag: string; when: number }[]
  }
  return journal.entries
}
