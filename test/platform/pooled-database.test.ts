import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTailer } from '#lib/core/feed/tailer.ts'
import { openWriter } from '#lib/core/indexer/writer.ts'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { readDatabaseUrl } from '#lib/platform/db/connect.ts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { startForgetfulProxy } from '#test/support/forgetful-proxy.ts'
import { until } from '#test/support/until.ts'

// Behind the proxy every session forgets all after each transaction.
describe('through a pooler that forgets everything', () => {
  let direct: TestDatabase
  let pooler: Awaited<ReturnType<typeof startForgetfulProxy>>
  let pooled: Database
  beforeAll(async () => {
    direct = await createTestDatabase()
    pooler = await startForgetfulProxy(direct.url)
    pooled = createDatabase(pooler.url)
  })
  afterAll(async () => {
    await pooled.close()
    await pooler.close()
    await direct.close()
  })

  test('statements with the same text are answered again and again, also in transactions', async () => {
    const ask = (n: number) => pooled.sql`select ${n}::int + 1 as sum`
    for (let n = 0; n < 10; n++) expect(await ask(n)).toEqual([{ sum: n + 1 }])
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n)))
    expect(answers.map(([row]) => row?.sum)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
    const inOne = await pooled.sql.begin(async (tx) => [
      await tx`select ${1}::int as a`,
      await tx`select 2 as b`,
    ])
    expect(inOne).toEqual([[{ a: 1 }], [{ b: 2 }]])
  })

  test('migrations apply, by several processes at once', async () => {
    await Promise.all([migrate(pooler.url), migrate(pooler.url), migrate(direct.url)])
  })

  test('one of several writers writes, and the next one only after it has released the lease', async () => {
    const [one, other] = [openWriter(pooler.url), openWriter(pooler.url)]
    const first = await Promise.all([one.acquire(), other.acquire()])
    expect(first.filter(Boolean)).toHaveLength(1)
    const [holder, waiting] = first[0] ? [one, other] : [other, one]
    expect(await holder.transaction((tx) => tx`select 1 as one`)).toEqual([{ one: 1 }])
    await expect(waiting.transaction((tx) => tx`select 1`)).rejects.toThrow('another process writes')
    expect(await waiting.acquire()).toBe(false)
    await holder.close()
    expect(await waiting.acquire()).toBe(true)
    await waiting.close()
  })

  test('a lease that expired is taken, and its holder writes nothing any more', async () => {
    const [late, next] = [openWriter(pooler.url), openWriter(pooler.url)]
    expect(await late.acquire()).toBe(true)
    await direct.sql`update leases set expires_at = now() - interval '1 second'`
    expect(await next.acquire()).toBe(true)
    await expect(late.transaction((tx) => tx`select 1`)).rejects.toThrow('another process writes')
    await expect(late.confirm()).rejects.toThrow('another process writes')
    await Promise.all([late.close(), next.close()])
  })

  test('a lease is not taken while a transaction of its holder is under way', async () => {
    const [holder, next] = [openWriter(pooler.url), openWriter(pooler.url)]
    expect(await holder.acquire()).toBe(true)
    await holder.transaction(async (tx) => {
      await tx`update leases set expires_at = now() - interval '1 second'`
      expect(await next.acquire()).toBe(false)
    })
    expect(await next.acquire()).toBe(true)
    await Promise.all([holder.close(), next.close()])
  })

  test('a worker with a session keeps out all others, and takes the place of one that has none', async () => {
    const [session, lease] = [openWriter(direct.url), openWriter(pooler.url)]
    expect(await lease.acquire()).toBe(true)
    await lease.transaction(async () => {
      expect(await session.acquire()).toBe(false)
    })
    expect(await session.acquire()).toBe(true)
    await expect(lease.transaction((tx) => tx`select 1`)).rejects.toThrow('another process writes')
    expect(await lease.acquire()).toBe(false)
    await session.close()
    // The session's process may have written: what the other one knew is out of date.
    await expect(lease.transaction((tx) => tx`select 1`)).rejects.toThrow('another process writes')
    await until('the lock is free', () => lease.acquire())
    await lease.close()
  })

  test('the feed is followed without notifications, over the connections that are there', async () => {
    const tailer = createTailer({
      databaseUrl: pooler.url,
      pooled: pooled.sql,
      log: pino({ level: 'silent' }),
      pollMs: 20,
    })
    tailer.start()
    await until('it reads', () => tailer.after(0) !== undefined)
    await direct.sql`
      insert into feed_outbox (stream_seq, feed_id, event_type, status, history_cursor, created_at_ms, kind, name, owner)
      values (1, 'a', 'transformation_published', 'observed', 'c', 0, 'transformation', 'n', 'o')`
    await until('the delta is there', () => tailer.after(0)?.length === 1)
    expect(tailer.status().listening).toBe(false)
    tailer.close()
  })
})

test('the marker of a pooler is no part of the address', () => {
  const { address, pooled } = readDatabaseUrl('postgres://u:p@host:6432/weft?pgbouncer=true&sslmode=require')
  expect({ address, pooled }).toEqual({
    address: 'postgres://u:p@host:6432/weft?sslmode=require',
    pooled: true,
  })
  expect(readDatabaseUrl('postgres://u:p@host/weft').pooled).toBe(false)
})
