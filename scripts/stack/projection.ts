import { eq } from 'drizzle-orm'
import { numberToHex } from 'viem'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import {
  accounts,
  chainBlocks,
  entities,
  entityOrigins,
  entityReferences,
  feedItems,
  feedOutbox,
  formats,
  registryLogs,
  sourceChecks,
  sponsoredTransactions,
  unverifiedPublications,
  workerState,
} from '#lib/platform/db/schema/index.ts'
import { rpc } from './anvil.ts'

/** Tables that the worker fills from the chain. */
const PROJECTED = [
  entities,
  entityOrigins,
  entityReferences,
  sourceChecks,
  sponsoredTransactions,
  unverifiedPublications,
  accounts,
  formats,
  feedItems,
  feedOutbox,
  registryLogs,
  chainBlocks,
  workerState,
]

/**
 * Deletes what the worker indexed from the chain, so that it is indexed again. For a development chain that was reset
 * under a database of the old one. Drafts and artifacts stay.
 */
export async function forgetProjection(databaseUrl: string): Promise<void> {
  await onDatabase(databaseUrl, ({ orm }) =>
    orm.transaction(async (tx) => {
      for (const table of PROJECTED) await tx.delete(table)
    }),
  )
}

/**
 * Compares the database with the development chain after its start. A chain that was killed may have lost its last
 * blocks. The worker rolls back what was not final; a loss below finality it rightly refuses to follow, but on a
 * development chain the projection is only reset.
 * @returns True when the projection was emptied.
 */
export async function reconcile(databaseUrl: string, rpcUrl: string): Promise<boolean> {
  const [final] = await onDatabase(databaseUrl, ({ orm }) =>
    orm
      .select({ number: chainBlocks.number, hash: chainBlocks.hash })
      .from(workerState)
      .innerJoin(chainBlocks, eq(chainBlocks.number, workerState.finalizedBlock)),
  )
  if (!final) return false
  const block = await rpc(rpcUrl, 'eth_getBlockByNumber', [numberToHex(final.number), false])
  if ((block as { hash?: unknown } | null)?.hash === final.hash) return false
  await forgetProjection(databaseUrl)
  return true
}

async function onDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = createDatabase(url, { max: 1 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
