import { eq } from 'drizzle-orm'
import { createDatabase } from '../../lib/platform/db/client.ts'
import {
  accounts,
  chainBlocks,
  entities,
  entityOrigins,
  entityReferences,
  feedItems,
  feedOutbox,
  formats,
  publishingGrants,
  registryLogs,
  sourceChecks,
  sponsoredTransactions,
  unverifiedPublications,
  workerState,
} from '../../lib/platform/db/schema/index.ts'
import { rpc } from './anvil.ts'

/**
 * Deletes what the worker indexed from the chain, so that it is indexed again. For a development chain that was reset
 * under a database of the old one. Drafts and artifacts stay.
 */
export async function forgetProjection(databaseUrl: string): Promise<void> {
  const db = createDatabase(databaseUrl, { max: 1 })
  try {
    await db.orm.transaction(async (tx) => {
      for (const table of [
        entities,
        entityOrigins,
        entityReferences,
        sourceChecks,
        publishingGrants,
        sponsoredTransactions,
        unverifiedPublications,
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

/**
 * Compares the database with the development chain after its start. A chain that was killed may have lost its last
 * blocks. The worker rolls back what was not final; a loss below finality it rightly refuses to follow, but on a
 * development chain the projection is only reset.
 * @returns True when the projection was emptied.
 */
export async function reconcile(databaseUrl: string, rpcUrl: string): Promise<boolean> {
  const final = await newestFinalBlock(databaseUrl)
  if (!final) return false
  const block = await rpc(rpcUrl, 'eth_getBlockByNumber', [`0x${final.number.toString(16)}`, false])
  if (typeof block === 'object' && block !== null && 'hash' in block && block.hash === final.hash)
    return false
  await forgetProjection(databaseUrl)
  return true
}

async function newestFinalBlock(databaseUrl: string): Promise<{ number: number; hash: string } | undefined> {
  const db = createDatabase(databaseUrl, { max: 1 })
  try {
    const [row] = await db.orm
      .select({ number: chainBlocks.number, hash: chainBlocks.hash })
      .from(workerState)
      .innerJoin(chainBlocks, eq(chainBlocks.number, workerState.finalizedBlock))
    return row
  } finally {
    await db.close()
  }
}
