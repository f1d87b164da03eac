import type { Services } from '#lib/core/context/context.ts'
import { collectGarbage } from '#lib/core/worlds/collect-garbage.ts'
import type { Database } from '#lib/platform/db/client.ts'

export interface StoredRows {
  readonly worlds: number
  readonly files: number
  readonly blobs: number
  readonly parts: number
  readonly leases: number
}

/** Counts of the rows that a database holds of Worlds. */
export async function storedRows({ sql }: Pick<Database, 'sql'>): Promise<StoredRows> {
  const [row] = await sql<StoredRows[]>`
    select
      (select count(*)::int from worlds where status = 'active') as worlds,
      (select count(*)::int from world_files) as files,
      (select count(*)::int from blobs) as blobs,
      (select count(*)::int from blob_parts) as parts,
      (select count(*)::int from blob_leases) as leases`
  return row as StoredRows
}

/** The same once the worker has collected what nothing refers to. */
export async function keptRows(services: Pick<Services, 'db' | 'blobs' | 'clock'>): Promise<StoredRows> {
  await collectGarbage(services)
  return storedRows(services.db)
}
