import postgres from 'postgres'
import { migrate } from '../../lib/db/migrate.ts'
import { startBenchPostgres } from '../network/postgres.ts'
import { fill } from './fill.ts'
import type { SeedCode } from './network.ts'

/** Code that is never run: what lists and pages cost does not depend on it. */
export const PLACEHOLDERS: readonly SeedCode[] = [
  { kind: 'transformation', argsCount: 1, runtime: '0x00', gentle: true },
  { kind: 'transformation', argsCount: 2, runtime: '0x01' },
  { kind: 'condition', argsCount: 1, runtime: '0x02' },
]

/** Filled databases of several sizes, on a server of their own or on one that keeps them for the next time. */
export interface Databases {
  /** A migrated and filled database of so many entities. */
  filled(entities: number): Promise<string>
  close(): Promise<void>
}

/** @param serverUrl A PostgreSQL that keeps the databases; undefined for one that goes with them. */
export async function openDatabases(
  serverUrl: string | undefined,
  print: (text: string) => void,
): Promise<Databases> {
  const own = serverUrl === undefined ? await startBenchPostgres() : undefined
  return {
    async filled(entities) {
      const name = `weft_load_${entities}`
      const found = serverUrl === undefined ? undefined : await existing(serverUrl, name)
      const url = found ?? (own ? await own.newDatabase(name) : await create(serverUrl!, name))
      await migrate(url)
      const sql = postgres(url, { max: 1, onnotice: () => {} })
      try {
        if (found !== undefined) {
          // A migration since then may have made tables that nobody has looked at.
          await sql`analyze`
          return url
        }
        const { seconds } = await fill(sql, { ...sizeOf(entities), ...PLACE, seeds: PLACEHOLDERS })
        print(`${entities.toLocaleString('en-US')} entities written in ${seconds.toFixed(0)} s`)
      } finally {
        await sql.end({ timeout: 1 })
      }
      return url
    },
    close: async () => own?.close(),
  }
}

const PLACE = { chainId: 31_337, registry: '0x', firstBlock: 1 } as const

function sizeOf(entities: number) {
  const tenth = Math.max(10, Math.floor(entities / 10))
  return { size: { entities, worlds: tenth, users: entities }, blocks: Math.max(1, Math.floor(entities / 5)) }
}

async function existing(serverUrl: string, name: string): Promise<string | undefined> {
  const sql = postgres(serverUrl, { max: 1 })
  try {
    const found = await sql`select 1 from pg_database where datname = ${name}`
    return found.length > 0 ? urlOf(serverUrl, name) : undefined
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function create(serverUrl: string, name: string): Promise<string> {
  const sql = postgres(serverUrl, { max: 1 })
  try {
    await sql.unsafe(`create database ${name}`)
    return urlOf(serverUrl, name)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
