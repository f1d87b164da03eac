import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '../../lib/context/context.ts'
import { type ListFeedItemsInput, listFeedItems, parsePageCursor } from '../../lib/feed/list-items.ts'
import { readOutbox } from '../../lib/feed/outbox-reader.ts'
import { testConfig } from '../support/config.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { feedTables } from './feed-tables.ts'

let db: TestDatabase
let watched: postgres.Sql
let seen: { query: string; parameters: unknown[] }[]

beforeAll(async () => {
  db = await createTestDatabase()
  await feedTables(db.sql)
  // One condition in a thousand, one withdrawal in a thousand.
  await db.sql`
    insert into feed_items
    select '31337:x:n' || i, case when i % 1000 = 0 then 'condition_added' else 'connector_added' end,
      case when i > 49990 then 'observed' else 'finalized' end, true, 't', i, 'b', 0, 0,
      lpad(i::text, 15, '0') || '-00000000-00000000', 0, 0, 1, 'connector', 'n' || i, 'o'
    from generate_series(1, 50000) i`
  await db.sql`
    insert into feed_outbox
    select i, '31337:x:n' || i, 'connector_added', case when i % 1000 = 0 then 'removed' else 'finalized' end,
      lpad(i::text, 15, '0') || '-00000000-00000000', 0, 'connector', 'n' || i, 'o'
    from generate_series(1, 50000) i`
  await db.sql`update worker_state set last_stream_seq = 50000`
  await db.sql`analyze`
  watched = postgres(db.url, {
    max: 1,
    debug: (_, query, parameters) => seen.push({ query, parameters }),
  })
  seen = []
  await watched`select 1`
})
afterAll(async () => {
  await watched.end({ timeout: 1 })
  await db.close()
})

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Rows that each table gave up, whether or not they were wanted, while `work` ran. */
async function rowsRead(work: () => Promise<unknown>): Promise<Map<string, number>> {
  seen = []
  await work()
  const { query, parameters } = seen.at(-1)!
  const [row] = await db.sql.unsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
    `explain (analyze, format json) ${query}`,
    parameters as never[],
  )
  const rows = new Map<string, number>()
  const walk = (plan: Plan): void => {
    const table = plan['Relation Name']
    if (table !== undefined) {
      const each = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
      rows.set(table, (rows.get(table) ?? 0) + each * plan['Actual Loops'])
    }
    for (const part of plan.Plans ?? []) walk(part)
  }
  walk(row!['QUERY PLAN'][0]!.Plan)
  return rows
}

function cursor(text: string) {
  return parsePageCursor(text)
}

test.each<[string, Omit<ListFeedItemsInput, 'limit'>]>([
  ['the first page', {}],
  ['a page in the middle', { before: cursor('000000000025000-00000000-00000000') }],
  [
    'a page of a walk that saw a few withdrawals',
    { before: cursor('000000000025000-00000000-00000000~46000~1:condition_added:n25000') },
  ],
  ['a rare type', { type: 'condition_added', before: cursor('000000000025000-00000000-00000000') }],
  ['what is final', { status: 'finalized' }],
])('%s reads little more than itself', async (_, input) => {
  const ctx = { db: { ...db, sql: watched }, config: testConfig() } satisfies Pick<Services, 'db' | 'config'>
  const rows = await rowsRead(() => listFeedItems(ctx, { limit: 20, ...input }))
  expect(rows.get('feed_items')).toBeGreaterThan(0)
  for (const [table, count] of rows) expect(count, table).toBeLessThan(60)
})

test('a page of the outbox reads only its rows', async () => {
  const rows = await rowsRead(() => readOutbox(watched, 25_000, 20))
  for (const [table, count] of rows) expect(count, table).toBeLessThan(30)
})
