import { expect, test } from 'vitest'
import { startTcpProxy } from '#test/support/tcp-proxy.ts'
import { until } from '#test/support/until.ts'
import { db, feed, newFeeds, opening, start, take } from './stream-scene.ts'

newFeeds()

function cutListener() {
  return db.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'weft-stream' and datname = current_database() and query ilike 'listen%'`
}

test('a lost LISTEN connection loses nothing', async () => {
  const site = await start({ pollMs: 60_000 })
  const reader = await site.open()
  await opening(reader)
  await until('listening', () => site.services.tailer.status().listening)
  for (let round = 0; round < 5; round++) {
    // The one that was cut before may still be on its way back.
    await until('a listener to cut', async () => (await cutListener()).length === 1)
    await feed.append(2)
    // The poll is a minute away: only a new LISTEN can bring these.
    expect(await take(reader, 2)).toEqual([2 * round + 1, 2 * round + 2])
  }
})

test('polling delivers everything without notifications', async () => {
  const site = await start({ pollMs: 50 })
  const reader = await site.open()
  await opening(reader)
  await db.sql.begin(async (tx) => {
    await tx`update worker_state set last_stream_seq = 2`
    await tx`
      insert into feed_outbox
      select i, 'x', 'connector_added', 'observed', 'x', 0, 'connector', 'x', '0x' from generate_series(1, 2) i`
  })
  expect(await take(reader, 2)).toEqual([1, 2])
})

test('a hanging connection is replaced', async () => {
  const wire = await startTcpProxy(Number(new URL(db.url).port))
  try {
    const site = await start({ databaseUrl: wire.through(db.url), pollMs: 50, timeoutMs: 1_500 })
    const reader = await site.open()
    await opening(reader)
    await until('listening', () => site.services.tailer.status().listening)
    wire.freeze()
    await feed.append(2)
    await until('given up', () => !site.services.tailer.status().listening)
    wire.thaw()
    expect(await take(reader, 2)).toEqual([1, 2])
  } finally {
    await wire.close()
  }
})

test('a restored older database ends the streams', async () => {
  const site = await start({ pollMs: 50 })
  await feed.append(5)
  const reader = await site.open('since_seq=5')
  await opening(reader)
  await until('tailing', () => site.services.tailer.status().streamSeq === 5)
  await db.sql`update worker_state set last_stream_seq = 2`
  await db.sql`delete from feed_outbox where stream_seq > 2`
  expect(await reader.next()).toBeUndefined()
  const again = await site.open('since_seq=5')
  await opening(again)
  await feed.append(1)
  expect(await take(again, 1)).toEqual([3])
})
