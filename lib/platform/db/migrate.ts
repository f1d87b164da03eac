import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { LOCKS } from './advisory-locks.ts'
import { readDatabaseUrl } from './connect.ts'

/**
 * Brings the database at `url` to the newest schema. Safe to call from several processes at once: the others wait.
 *
 * @throws Error with a text for the operator: the server cannot be reached, refuses, or holds something else.
 */
export async function migrate(url: string, folder = migrationsFolder()): Promise<void> {
  const { address, pooled } = readDatabaseUrl(url)
  const sql = postgres(address, { max: 2, prepare: !pooled, onnotice: () => {}, connect_timeout: 10 })
  try {
    // A lock of a transaction, since poolers keep no sessions; the migrations run in another one.
    await sql.begin(async (lock) => {
      await lock`select pg_advisory_xact_lock(${String(LOCKS.migration)}::bigint)`
      await applyMigrations(drizzle(sql), { migrationsFolder: folder, migrationsSchema: 'public' })
    })
  } catch (error) {
    throw new Error(`The database at ${withoutPassword(url)} could not be migrated: ${reason(error)}`, {
      cause: error,
    })
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** The project's `drizzle` folder, found from the working directory because bundlers move this file. */
export function migrationsFolder(): string {
  const folder = join(process.cwd(), 'drizzle')
  if (!existsSync(join(folder, 'meta', '_journal.json'))) {
    throw new Error(`No migrations in ${folder}: start the program from the project's folder.`)
  }
  return folder
}

function withoutPassword(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return 'DATABASE_URL'
  return `${parsed.hostname}:${parsed.port || '5432'}${parsed.pathname}`
}

function reason(error: unknown): string {
  const causes: Error[] = []
  for (let e = error; e instanceof Error && causes.length < 5; e = e.cause) causes.push(e)
  const deepest = causes.at(-1)
  const code = deepest && 'code' in deepest ? String(deepest.code) : ''
  if (code === 'ECONNREFUSED')
    return 'nothing answers there. Is PostgreSQL running, and is DATABASE_URL right?'
  if (code === '28P01' || code === '28000') return 'it refuses the user name or password in DATABASE_URL.'
  if (code === '3D000') return 'that database does not exist: create it, or change DATABASE_URL.'
  if (code === '42501')
    return 'the user in DATABASE_URL may not create tables there: grant it CREATE on the schema.'
  return deepest?.message ?? String(error)
}

const UNDEFINED_TABLE = '42P01'

/**
 * Names of the migrations that this program has and the database lacks, oldest first. A database that is ahead of the program, as during an update of several servers, lacks none.
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
