import { afterAll, beforeAll, expect, test } from 'vitest'
import { addToAggregates, type Counted, recountAggregates } from '#lib/core/indexer/aggregates.ts'
import type { WriterSql } from '#lib/core/indexer/writer.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db?.close())

/** The entities numbered `from` to `to`, one a block: of three owners, every second one of two formats. */
async function publish(sql: WriterSql, from: number, to: number): Promise<Counted[]> {
  await sql`
    insert into formats select distinct '0xf' || i % 4, '[]'::jsonb, 0 from generate_series(${from}::int, ${to}::int) i
    where i % 2 = 0 on conflict do nothing`
  return sql<Counted[]>`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, format_hash, block_number,
      block_hash, tx_hash, tx_index, log_index)
    select 'connector', 'e' || i, '0xa' || i % 3, '', '', '', case when i % 2 = 0 then '0xf' || i % 4 end, i, '', '', 0, 0
    from generate_series(${from}::int, ${to}::int) i
    returning owner, format_hash as "formatHash"`
}

function deleteAbove(sql: WriterSql, above: number) {
  return sql<Counted[]>`
  delete from entities where block_number > ${above} returning owner, format_hash as "formatHash"`
}

test('added and recounted aggregates equal a full count', async () => {
  let head = 0
  for (const [to, back] of [
    [1, 1],
    [9, 2],
    [12, 0],
    [40, 31],
    [41, 41],
  ] as const) {
    await db.sql.begin(async (sql) => addToAggregates(sql, await publish(sql, head + 1, to)))
    await expectCounted()
    await db.sql.begin(async (sql) => recountAggregates(sql, await deleteAbove(sql, back)))
    await expectCounted()
    head = back
  }
})

async function expectCounted(): Promise<void> {
  expect(await db.sql`select address, published from accounts order by 1`).toEqual(
    await db.sql`select owner as address, count(*)::int as published from entities group by 1 order by 1`,
  )
  expect(await db.sql`select format_hash, connectors from formats order by 1`).toEqual(
    await db.sql`select format_hash, count(*)::int as connectors from entities
      where format_hash is not null group by 1 order by 1`,
  )
}

test('adding an entity reads no other entity', async () => {
  await db.sql.begin(async (sql) => {
    const read = async () => {
      const [row] = await sql<{ reads: string }[]>`
        select coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0) + coalesce(idx_scan, 0) + seq_scan as reads
        from pg_stat_xact_user_tables where relname = 'entities'`
      return Number(row?.reads)
    }
    const added = await publish(sql, 1_001, 1_200)
    const before = await read()
    await addToAggregates(sql, added)
    expect(await read()).toBe(before)
    await recountAggregates(sql, added)
    // Or it were not to be seen there.
    expect(await read()).toBeGreaterThan(before)
  })
})
