import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../lib/context/context.ts'
import { getAccount } from '../../lib/entities/get-account.ts'
import { getEntity, requireEntity } from '../../lib/entities/get-entity.ts'
import { getFormat } from '../../lib/entities/get-format.ts'
import { listAccounts, listFormats } from '../../lib/entities/list-keys.ts'
import { loadDependencies } from '../../lib/entities/load-dependencies.ts'
import type { Address, Hash } from '../../lib/protocol/entity.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { define } from '../support/definitions.ts'

let db: TestDatabase
const owner: Address = `0x${'1'.repeat(40)}`
const format: Hash = `0x${'2'.repeat(64)}`

beforeAll(async () => {
  db = await createTestDatabase()
  // Enough rows for the planner to care; one owner and one format hold most of them.
  await db.sql`
    insert into artifacts (content_hash, kind, name, body)
    select 'hash' || i, 'connector', 'n' || i, '{"leafCount": 1, "depth": 1, "argsCount": 0}'
    from generate_series(1, 30000) i`
  await db.sql`
    insert into drafts (kind, name, owner, content_hash)
    select 'connector', 'n' || i, case when i % 3 = 0 then ${owner} else 'o' || i end, 'hash' || i
    from generate_series(1, 20000) i`
  await db.sql`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, artifact_hash, format_hash,
      block_number, block_hash, tx_hash, tx_index, log_index)
    select 'connector', 'n' || i, case when i % 3 = 0 then ${owner} else 'o' || i end, '0x', 'hash' || i, 'm',
      'hash' || i, ${format}, i, 'b', 't', 0, 0
    from generate_series(10000, 30000) i`
  await db.sql`insert into accounts select 'o' || i, 1 from generate_series(1, 20000) i`
  await db.sql`insert into formats select 'f' || i, '[]', 1 from generate_series(1, 20000) i`
  await db.sql`insert into formats values (${format}, '[]', 20001)`
  await db.sql`analyze`
})
afterAll(() => db.close())

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly Plans?: readonly Plan[]
}

/** What the database does for each query of `verb`. */
async function plansOf(verb: (ctx: Context) => Promise<unknown>): Promise<Plan[]> {
  const plans: Plan[] = []
  const sql = new Proxy(db.sql, {
    apply: (target, self, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) => {
      const explained = ['explain (analyze, format json) ', ...strings]
      explained.splice(0, 2, explained.slice(0, 2).join(''))
      const template = Object.assign(explained, { raw: explained })
      return Reflect.apply(target, self, [template, ...values]).then(
        async ([row]: { 'QUERY PLAN': { Plan: Plan }[] }[]) => {
          plans.push(row!['QUERY PLAN'][0]!.Plan)
          return Reflect.apply(target, self, [strings, ...values])
        },
      )
    },
  })
  await verb({ db: { ...db, sql } } as unknown as Context)
  return plans
}

function scans(plans: readonly Plan[]): Plan[] {
  return plans.flatMap((plan) => [plan, ...scans(plan.Plans ?? [])]).filter((plan) => plan['Relation Name'])
}

describe('queries reach their rows by an index and read no more than a page', () => {
  test.each<[string, (ctx: Context) => Promise<unknown>, number]>([
    ['an entity', (ctx) => getEntity(ctx, 'connector', 'n15000').catch(() => undefined), 5],
    ['whether it exists', (ctx) => requireEntity(ctx, 'connector', 'n15000'), 5],
    [
      'an account',
      (ctx) =>
        getAccount(ctx, {
          address: owner,
          limit: 5,
          after: { connector: 'n2', transformation: '', condition: '' },
        }),
      10,
    ],
    ['a format', (ctx) => getFormat(ctx, { formatHash: format, limit: 5, after: 'n2' }), 10],
    [
      'dependencies',
      (ctx) =>
        loadDependencies(
          ctx,
          define({
            name: 'x',
            dimensions: [{ composite: 'n1' }, { composite: 'n15000', bindings: { '0': 'n20000' } }],
          }),
        ),
      10,
    ],
  ])('%s', async (_what, verb, most) => {
    const plans = await plansOf(verb)
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.length).toBeLessThanOrEqual(2)
    for (const scan of scans(plans)) {
      expect(scan['Node Type'], scan['Relation Name']).not.toBe('Seq Scan')
      expect(scan['Actual Rows'], scan['Relation Name']).toBeLessThanOrEqual(most)
    }
  })

  test.each<[string, (ctx: Context) => Promise<unknown>]>([
    ['accounts', (ctx) => listAccounts(ctx, { limit: 5, after: 'o2' as Address })],
    ['formats', (ctx) => listFormats(ctx, { limit: 5, after: 'f2' as Hash })],
  ])('%s, whose total is kept', async (_table, verb) => {
    for (const scan of scans(await plansOf(verb))) {
      expect(scan['Actual Rows'], scan['Relation Name']).toBeLessThanOrEqual(6)
    }
  })
})
