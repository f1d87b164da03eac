import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rollbackTo } from '#lib/core/indexer/rollback.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { servicesOperations } from '#lib/server/operations/services/index.ts'
import { studioOperations } from '#lib/server/operations/studio/index.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { fill } from '#test/support/large-network/fill.ts'
import { LIST_READS } from '#test/support/large-network/lists.ts'
import { type Marks, marksOf } from '#test/support/large-network/marks.ts'
import { PAGE_READS } from '#test/support/large-network/pages.ts'
import { type StatementCost, type Watched, watch } from '#test/support/large-network/plans.ts'

let db: TestDatabase
let watched: Watched
let marks: Marks

const SIZE = { entities: 4_000, worlds: 3_000, users: 4_000 }
/** A few pages' worth: far below the rows there are, far above the rows a page needs. */
const MOST_ROWS = 300

beforeAll(async () => {
  db = await createTestDatabase()
  await fill(db.sql, SIZE)
  // A few thousand rows are read faster as a whole than by an index; what counts is what a million would be read by.
  watched = watch(db.url, { enable_seqscan: 'off', random_page_cost: '1.1' })
  marks = await marksOf(db.sql)
})
afterAll(async () => {
  await watched.close()
  await db.close()
})

/** Tables of a row or a few, however large the network. */
const SMALL = ['worker_state', 'worker_instances', 'network_totals', 'notice_position', 'play_days']

function offences(statements: readonly StatementCost[], most: number): string[] {
  return statements.flatMap(({ text, nodes }) =>
    nodes
      .filter(({ type, table, rows }) => {
        if (table !== undefined && SMALL.includes(table)) return false
        return rows > most || (type === 'Seq Scan' && table !== undefined)
      })
      .map(
        ({ type, table, rows }) => `${type} of ${table ?? 'rows'}: ${rows} in ${text.trim().slice(0, 400)}`,
      ),
  )
}

describe('the database reaches a page of every list by an index, and reads little more than the page', () => {
  test.each(LIST_READS)('$name', async ({ read, looksAt }) => {
    const statements = await watched.costsOf((ctx) => read(ctx, marks))
    expect(statements.length).toBeGreaterThan(0)
    expect(offences(statements, looksAt?.rows ?? MOST_ROWS)).toEqual([])
  })
})

describe('a page with pictures sends as many statements in a large network as in a small one, each for few rows', () => {
  test.each(PAGE_READS)('$name', async ({ read, statements: most, looksAt }) => {
    const statements = await watched.costsOf((ctx) => read(ctx, marks))
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.length).toBeLessThanOrEqual(most)
    expect(offences(statements, looksAt?.rows ?? MOST_ROWS)).toEqual([])
  })
})

/** Reads of one row by its key, and of data that is not in the database. */
const NO_LIST = [
  ...[
    'GET_version',
    'GET_nonce',
    'GET_transformation',
    'GET_condition',
    'GET_health',
    'GET_authMe',
    'GET_user',
  ],
  ...['GET_sdkModule', 'GET_workspace', 'GET_workspaceVersion', 'GET_sharedDraft', 'GET_connectorStarts'],
  ...['GET_still', 'GET_piecePresentation'],
]

test('no operation that reads is missing', () => {
  const reads = [...chainOperations, ...servicesOperations, ...studioOperations]
    .filter(({ method }) => method === 'GET')
    .map(({ id }): string => id)
  const looked = new Set([...LIST_READS.flatMap(({ serves }) => serves), ...NO_LIST])
  expect(reads.filter((id) => !looked.has(id))).toEqual([])
  expect([...looked].filter((id) => !reads.includes(id))).toEqual([])
})

/** Number of trigger-maintained counts that are wrong. */
async function wrongCounts(): Promise<number> {
  const [row] = await db.sql<{ wrong: number }[]>`
    with counted(of, key, total) as (
      select 'owner ' || owner, kind, count(*) from entities group by 1, 2
      union all
      select 'uses ' || r.kind, r.name || ' ' || coalesce(e.format_hash, ''), count(*)
        from entity_references r left join entities e using (kind, name) group by 1, 2
      union all select 'total', kind, count(*) from entities group by 1, 2
      union all select 'total', 'account', count(*) from accounts
      union all select 'total', 'format', count(*) from formats
      union all
      (select distinct on (scope, owner) 'newest ' || scope || owner, name, block_number
        from entities cross join lateral unnest(array[kind, format_hash]) scopes(scope) where scope is not null
        order by scope, owner, block_number desc, tx_index desc, log_index desc)
    ), kept(of, key, total) as (
      select 'owner ' || owner, kind, published from owner_totals where published <> 0
      union all
      select 'uses ' || kind, name || ' ' || coalesce(format_hash, ''), used_by from entity_uses where used_by <> 0
      union all select 'total', counted, total from network_totals where total <> 0
      union all select 'newest ' || scope || owner, name, block_number from newest_of_owners
    )
    select (select count(*) from (select * from counted where total <> 0 except select * from kept) missing)::int
      + (select count(*) from (select * from kept except select * from counted) wrong)::int as wrong`
  return row!.wrong
}

test('what is counted beside the tables is what is in them, also after blocks and repairs took rows back', async () => {
  expect(await wrongCounts()).toBe(0)
  await db.sql.begin((tx) => rollbackTo(tx, 780, 0))
  expect(await wrongCounts()).toBe(0)
  await db.sql`update entities set owner = '0x00' where kind = 'condition'`
  await db.sql`delete from entity_references where kind = 'condition'`
  expect(await wrongCounts()).toBe(0)
  await db.sql`truncate entities, entity_references, accounts, formats`
  expect(await wrongCounts()).toBe(0)
})
