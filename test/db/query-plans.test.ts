import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLACEHOLDERS } from '../../bench/load/databases.ts'
import { fill } from '../../bench/load/fill.ts'
import { contextOf, LIST_READS } from '../../bench/load/lists.ts'
import { type Marks, marksOf } from '../../bench/load/marks.ts'
import { type StatementCost, type Watched, watch } from '../../bench/load/plans.ts'
import { chainOperations } from '../../lib/api/chain/index.ts'
import { servicesOperations } from '../../lib/api/services/index.ts'
import { studioOperations } from '../../lib/api/studio/index.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let db: TestDatabase
let watched: Watched
let marks: Marks

const SIZE = { entities: 4_000, worlds: 3_000, users: 4_000 }
/** A few pages' worth: far below the rows there are, far above the rows a page needs. */
const MOST_ROWS = 300

beforeAll(async () => {
  db = await createTestDatabase()
  await fill(db.sql, {
    size: SIZE,
    seeds: PLACEHOLDERS,
    chainId: 31_337,
    registry: '0x',
    firstBlock: 1,
    blocks: 800,
  })
  // A few thousand rows are read faster as a whole than by an index; what counts is what a million would be read by.
  watched = watch(db.url, { enable_seqscan: 'off', random_page_cost: '1.1' })
  marks = await marksOf(db.sql)
})
afterAll(async () => {
  await watched.close()
  await db.close()
})

/** Tables of a row or a few, however large the network. */
const SMALL = ['worker_state', 'network_totals']

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
    const statements = await watched.costsOf((ctx) => read(contextOf(ctx), marks))
    expect(statements.length).toBeGreaterThan(0)
    expect(offences(statements, looksAt?.rows ?? MOST_ROWS)).toEqual([])
  })

  test('a table that is read as a whole would be found', async () => {
    const counted = await watched.costsOf(({ db: { sql } }) => sql`select count(*) from entities`)
    expect(offences(counted, MOST_ROWS)).not.toEqual([])
    const sorted = await watched.costsOf(
      ({ db: { sql } }) => sql`select name from entities order by metadata_hash limit 5`,
    )
    expect(offences(sorted, MOST_ROWS)).not.toEqual([])
  })
})

/** Reads of one thing by its key, and of nothing that is kept in the database. */
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
  ...[
    'GET_world',
    'GET_worldAsset',
    'GET_sdkModule',
    'GET_workspace',
    'GET_workspaceVersion',
    'GET_connectorStarts',
  ],
]

test('no operation that reads is missing', () => {
  const reads = [...chainOperations, ...servicesOperations, ...studioOperations]
    .filter(({ method }) => method === 'GET')
    .map(({ id }) => id)
  const looked = new Set([...LIST_READS.flatMap(({ serves }) => serves), ...NO_LIST])
  expect(reads.filter((id) => !looked.has(id))).toEqual([])
  expect([...looked].filter((id) => !reads.includes(id))).toEqual([])
})

test('what the triggers count is what there is', async () => {
  const { sql } = db
  const [wrong] = await sql<{ wrong: number }[]>`
    select (
      select count(*) from (
        (select owner, kind, count(*)::int as n from entities group by 1, 2)
        except (select owner, kind, published from owner_totals)) a
    ) + (
      select count(*) from (
        (select r.kind, r.name, count(*)::int as n, e.format_hash
          from entity_references r join entities e using (kind, name) group by 1, 2, 4)
        except (select kind, name, used_by, format_hash from entity_uses)) b
    ) + (
      select count(*) from (
        (select kind as counted, count(*) as n from entities group by 1
          union all select 'account', count(*) from accounts union all select 'format', count(*) from formats)
        except (select counted, total from network_totals)) c
    ) as wrong`
  expect(Number(wrong?.wrong)).toBe(0)
})
