import { eq } from 'drizzle-orm'
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
import { rpc } from './anvil.ts'

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

/**
 * Compares the database with the development chain after that one was started. A chain that was killed may have lost
 * its last blocks. The worker takes back what was not final; a loss below that it rightly refuses to follow, but
 * here it only means that reading begins anew.
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
