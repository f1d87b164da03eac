import { expect } from 'vitest'
import type { TestDatabase } from '#test/support/database.ts'
import { projectionTables } from '#test/support/projection-tables.ts'
import { waitForProjection } from '#test/support/wait-for-projection.ts'
import { type Network, startNetwork } from '../publication/network.ts'

/** The content of the projection, without timestamps. */
export function projection({ sql }: TestDatabase) {
  return projectionTables(sql)
}

/** Indexes the chain into an empty database and compares. */
export async function expectEqualToFreshIndex(network: Network): Promise<void> {
  const fresh = await startNetwork({ chain: network.chain })
  try {
    fresh.startWorker()
    const head = await network.chain.publicClient.getBlockNumber({ cacheTime: 0 })
    await waitForProjection(network.api.services, { block: head })
    await waitForProjection(fresh.api.services, { block: head })
    expect(await projection(fresh.api.db)).toEqual(await projection(network.api.db))
  } finally {
    await fresh.close()
  }
}

/** The deltas so far, in order. */
export async function outbox({ sql }: TestDatabase) {
  const rows = await sql<{ stream_seq: string; name: string; status: string }[]>`
    select stream_seq, name, status from feed_outbox order by stream_seq`
  return rows.map(({ stream_seq, name, status }) => ({ seq: Number(stream_seq), name, status }))
}

/** Where the worker is. */
export async function processedBlock({ sql }: TestDatabase): Promise<{ number: number; hash: string }> {
  const [row] = await sql<{ number: string; hash: string }[]>`
    select b.number, b.hash from worker_state s join chain_blocks b on b.number = s.processed_block`
  return { number: Number(row?.number ?? -1), hash: row?.hash ?? '' }
}

/** True when the worker has read exactly the chain that the node shows now. */
export async function atHead(network: Network): Promise<boolean> {
  const head = await network.chain.publicClient.getBlock()
  return (await processedBlock(network.api.db)).hash === head.hash
}
