import { createDatabase } from '../../lib/db/client.ts'
import {
  accounts,
  chainBlocks,
  entities,
  feedItems,
  feedOutbox,
  formats,
  registryLogs,
  workerState,
} from '../../lib/db/schema/index.ts'

/**
 * Empties what the worker reads from the chain; it reads it again. For a development chain that began anew under
 * a database that remembers the old one. Drafts and artifacts stay.
 */
export async function forgetProjection(databaseUrl: string): Promise<void> {
  const db = createDatabase(databaseUrl, { max: 1 })
  try {
    await db.orm.transaction(async (tx) => {
      for (const table of [
        entities,
        accounts,
        formats,
        feedItems,
        feedOutbox,
        registryLogs,
        chainBlocks,
        workerState,
      ]) {
        await tx.delete(table)
      }
    })
  } finally {
    await db.close()
  }
}
