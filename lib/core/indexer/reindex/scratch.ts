import postgres from 'postgres'
import { LOCKS, tryLock } from '#lib/platform/db/advisory-locks.ts'
import type { Writer } from '../writer.ts'

/** Schema of the second index: tables with the columns and constraints of the live ones, without triggers. */
export const SCRATCH = 'weft_reindex'

/** Tables that indexing writes. `publications` belongs to the site: its copy stays empty. */
const TABLES = [
  'accounts',
  'artifacts',
  'chain_blocks',
  'entities',
  'entity_origins',
  'entity_references',
  'feed_items',
  'feed_outbox',
  'formats',
  'leaf_names',
  'publications',
  'registry_logs',
  'source_checks',
  'unverified_publications',
  'worker_state',
] as const

/** Empty tables beside the live ones, in the same database so that one snapshot covers both. */
export interface Scratch {
  readonly writer: Pick<Writer, 'transaction'>
  /** Drops the tables. */
  close(): Promise<void>
}

/** @throws Error when another reindex is running. */
export async function openScratch(databaseUrl: string): Promise<Scratch> {
  const sql = postgres(databaseUrl, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: 'weft-reindex', search_path: SCRATCH },
  })
  try {
    if (!(await tryLock(sql, LOCKS.reindex)))
      throw new Error('Another reindex of this database is under way: wait for its end.')
    await sql.unsafe(`drop schema if exists ${SCRATCH} cascade; create schema ${SCRATCH}`)
    for (const table of TABLES) {
      await sql.unsafe(`create table ${SCRATCH}.${table} (like public.${table} including all)`)
    }
  } catch (error) {
    await sql.end({ timeout: 1 })
    throw error
  }
  return {
    writer: {
      transaction: async <T>(run: Parameters<Writer['transaction']>[0]) => (await sql.begin(run)) as T,
    },
    async close() {
      await sql.unsafe(`drop schema if exists ${SCRATCH} cascade`)
      await sql.end({ timeout: 1 })
    },
  }
}
