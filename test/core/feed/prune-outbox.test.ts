import { afterEach, beforeEach, expect, test } from 'vitest'
import { pruneOutbox } from '#lib/core/indexer/outbox.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'
import { type Network, startNetwork } from '../publication/network.ts'

const DAY = 86_400_000
const NOW = 1_800_000_000_000

let db: TestDatabase
let network: Network | undefined

beforeEach(async () => {
  db = await createTestDatabase()
})
afterEach(async () => {
  await network?.close()
  network = undefined
  await db.close()
})

async function deltas(target: TestDatabase, ages: readonly number[], nowMs = NOW): Promise<void> {
  for (const [index, days] of ages.entries()) {
    await target.sql`
      insert into feed_outbox (stream_seq, feed_id, event_type, status, history_cursor, created_at_ms, kind, name, owner)
      values (${index + 1}, 'id', 'condition_added', 'observed', 'c', ${nowMs - days * DAY}, 'condition', 'n', '0x')`
  }
}

function prune(retentionDays = 30) {
  return db.sql.begin((sql) => pruneOutbox(sql, { retentionDays, nowMs: NOW })) as Promise<number>
}

async function left(target: TestDatabase): Promise<number[]> {
  const rows = await target.sql<
    { stream_seq: string }[]
  >`select stream_seq from feed_outbox order by stream_seq`
  return rows.map(({ stream_seq }) => Number(stream_seq))
}

test('only deltas past their retention are deleted', async () => {
  await deltas(db, [40, 31, 30.001, 30, 29, 0])
  expect(await prune()).toBe(3)
  expect(await left(db)).toEqual([4, 5, 6])
  expect(await prune()).toBe(0)
})

test('the rest has no gap, even when the clock once went back', async () => {
  await deltas(db, [40, 20, 35, 36, 10])
  expect(await prune()).toBe(1)
  expect(await left(db)).toEqual([2, 3, 4, 5])
})

test('all deltas may be deleted, in several batches', async () => {
  await db.sql`
    insert into feed_outbox (stream_seq, feed_id, event_type, status, history_cursor, created_at_ms, kind, name, owner)
    select n, 'id', 'condition_added', 'observed', 'c', 0, 'condition', 'n', '0x' from generate_series(1, 12000) n`
  const turns = []
  do turns.push(await prune())
  while (turns.at(-1) !== 0)
  expect(turns).toEqual([5_000, 5_000, 2_000, 0])
})

test('the writer prunes automatically, and numbers continue', async () => {
  network = await startNetwork()
  await deltas(network.api.db, [31, 31, 2], Date.now())
  network.startWorker()
  await until('pruned', async () => (await left(network?.api.db as TestDatabase)).join() === '3')
})
