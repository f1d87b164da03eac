import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { LOCKS } from './advisory-locks.ts'
import { DEFAULT_SCHEMA, defaultDatabaseUrl, SHARED_TABLES, schemaOfUrl } from './chain-schema.ts'
import { readDatabaseUrl } from './connect.ts'

/**
 * Brings the database at `url` to the newest schema, those of further chains in it, too. Safe to call from several processes at once: the others wait.
 * @throws Error with a text for the operator: the server cannot be reached, refuses, or holds something else.
 */
export async function migrate(url: string, folder = migrationsFolder()): Promise<void> {
  const { address, pooled } = readDatabaseUrl(defaultDatabaseUrl(url))
  const sql = postgres(address, { max: 2, prepare: !pooled, onnotice: () => {}, connect_timeout: 10 })
  try {
    // A lock of a transaction, since poolers keep no sessions; the migrations run in another one.
    await sql.begin(async (lock) => {
      await lock`select pg_advisory_xact_lock(${String(LOCKS.migration)}::bigint)`
      await applyMigrations(drizzle(sql), { migrationsFolder: folder, migrationsSchema: 'public' })
      for (const schema of await chainSchemas(sql, schemaOfUrl(url))) await migrateSchema(sql, schema, folder)
    })
  } catch (error) {
    throw new Error(`The database at ${withoutPassword(url)} could not be migrated: ${reason(error)}`, {
      cause: error,
    })
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** Schemas of further chains: those of the database, and the wanted one. */
async function chainSchemas(sql: postgres.Sql, wanted: string): Promise<readonly string[]> {
  const present = await sql<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname ~ '^chain_[0-9]+$' order by 1`
  const names = new Set([...present.map(({ name }) => name), wanted])
  names.delete(DEFAULT_SCHEMA)
  return [...names]
}

/**
 * Applies the migrations to the schema of a further chain. The shared tables that they make are put out of the way, empty
 * as they are, so that later migrations find them and nothing else does.
 */
async function migrateSchema(sql: postgres.Sql, schema: string, folder: string): Promise<void> {
  const unused = `${schema}_unused`
  await sql.unsafe(`
    create schema if not exists ${schema}; create schema if not exists ${unused};
    create table if not exists ${schema}.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`)
  const newest = await newestApplied(sql, schema)
  const own = (statement: string) =>
    statement.replace(/"public"\."(\w+)"/g, (name, table: string) =>
      SHARED_TABLES.includes(table) ? name : `"${schema}"."${table}"`,
    )
  for (const { folderMillis, hash, sql: statements } of readMigrationFiles({ migrationsFolder: folder })) {
    if (folderMillis <= newest) continue
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local search_path to ${schema}, ${unused}, public`)
      for (const statement of statements) await tx.unsafe(own(statement))
      for (const table of SHARED_TABLES) {
        await tx.unsafe(`alter table if exists ${schema}.${table} set schema ${unused}`)
      }
      await tx`insert into __drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`
    })
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
 * Names of the migrations that this program has and a schema of the database lacks, oldest first. A database that is ahead of the
 * program, as during an update of several servers, lacks none.
 *
 * @throws Error when the database does not answer.
 */
export async function pendingMigrations(
  sql: postgres.Sql,
  schema = DEFAULT_SCHEMA,
  folder = migrationsFolder(),
): Promise<readonly string[]> {
  const newest = await newestApplied(sql, schema)
  return readJournal(folder)
    .filter(({ when }) => when > newest)
    .map(({ tag }) => tag)
}

async function newestApplied(sql: postgres.Sql, schema: string): Promise<number> {
  try {
    const [row] = await sql<{ newest: string | null }[]>`
      select max(created_at) as newest from ${sql(schema)}.__drizzle_migrations`
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
