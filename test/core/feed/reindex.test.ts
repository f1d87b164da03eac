import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ReindexReport, reindex } from '#lib/core/indexer/reindex/reindex.ts'
import { chainEnvironment } from '#test/support/chain-config.ts'
import { until } from '#test/support/until.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'
import { atHead, outbox, projection } from './projection.ts'

const owner = devAccount(0)
const other = devAccount(1)
let network: Network

beforeEach(async () => {
  network = await startNetwork({ slotsInAnEpoch: 4 })
  network.startWorker()
  await network.draftTransformation('add', owner)
  await network.draftTransformation('sub', other, 'return x - args[0];')
  await network.draftTransformation('unpublished', other, 'return x ^ args[0];')
  await network.publish('transformation', 'add', owner)
  await network.publish('transformation', 'sub', other)
  await network.draftConnector('pitch', ['add'], owner)
  await network.draftConnector('time', ['sub', 'add'], owner)
  await network.publish('connector', 'pitch', owner)
  await network.chain.rpc('anvil_mine', ['0x6'])
  await network.publish('connector', 'time', owner)
  await until('at head', () => atHead(network))
})
afterEach(() => network?.close())

function run(replace = false): Promise<ReindexReport> {
  return reindex(network.api.services, { replace })
}

function wrong(report: ReindexReport) {
  return report.tables.flatMap(({ differences }) => differences.map(({ table, key }) => `${table} ${key}`))
}

/** One lie in each table. */
async function damage(): Promise<void> {
  const { sql } = network.api.db
  await sql`update entities set owner = '0x00' where name = 'pitch'`
  await sql`update artifacts set body = jsonb_set(body, '{argsCount}', '7')
    where content_hash = (select artifact_hash from entities where name = 'add')`
  await sql`update entity_references set uses = 2 where connector = 'pitch'`
  await sql`delete from entity_references where connector = 'time' and name = 'sub'`
  await sql`update accounts set published = published + 1`
  await sql`delete from formats where scalars::text like '%time%'`
  await sql`update feed_items set visible = false, status = 'removed' where name = 'sub'`
  await sql`update feed_items set tx_hash = '0x00' where name = 'time'`
  await sql`
    insert into feed_items select '31337:connector_added:ghost', event_type, status, true, tx_hash, block_number,
      block_hash, tx_index, log_index, history_cursor, created_at_ms, updated_at_ms, projector_version, kind, 'ghost', owner
    from feed_items where name = 'pitch'`
  await sql`delete from registry_logs where log_index = 0 and block_number = (select min(block_number) from registry_logs)`
  await sql`update chain_blocks set parent_hash = '0x00' where number = (select max(number) from chain_blocks)`
}

test('an index from the chain equals the live tables and does not change them', async () => {
  const before = await projection(network.api.db)
  const report = await run()
  expect(wrong(report)).toEqual([])
  expect(report).toMatchObject({ unverified: [], replaced: false })
  const rows = Object.fromEntries(report.tables.map(({ table, rows: count }) => [table, count]))
  expect(rows).toMatchObject({
    entities: 4,
    entity_references: 3,
    artifacts: 4,
    accounts: 2,
    formats: 2,
    feed_items: 4,
    registry_logs: 4,
  })
  expect(await projection(network.api.db)).toEqual(before)
  expect(await network.api.db.sql`select 1 from pg_namespace where nspname = 'weft_reindex'`).toEqual([])
})

test('finds every damaged table and repairs it on demand, with deltas for the stream', async () => {
  const right = await projection(network.api.db)
  const deltasBefore = await outbox(network.api.db)
  await damage()
  const found = wrong(await run())
  for (const table of [
    'entities',
    'entity_references',
    'artifacts',
    'accounts',
    'formats',
    'feed_items',
    'registry_logs',
    'chain_blocks',
  ]) {
    expect(found.filter((each) => each.startsWith(`${table} `)).length, table).toBeGreaterThan(0)
  }
  expect(await network.api.db.sql`select owner from entities where name = 'pitch'`).toEqual([
    { owner: '0x00' },
  ])

  const replaced = await run(true)
  expect(replaced.replaced).toBe(true)
  expect(wrong(await run())).toEqual([])
  expect(await projection(network.api.db)).toEqual(right)
  const told = (await outbox(network.api.db)).slice(deltasBefore.length)
  expect(told.map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual([
    'ghost removed',
    expect.stringMatching(/^sub (safe|finalized)$/),
    expect.stringMatching(/^time (observed|safe)$/),
  ])
  const drafts = await network.api.db.sql`select name from drafts order by name`
  expect(drafts.map(({ name }) => name)).toContain('unpublished')
})

test('the worker continues while tables are compared and repaired', async () => {
  await damage()
  const mining = (async () => {
    for (let block = 0; block < 30; block++) {
      await network.chain.rpc('anvil_mine', ['0x1'])
      if (block % 10 === 5) await network.chain.rpc('anvil_reorg', [2, []])
    }
  })()
  await run(true)
  await mining
  await until('at head', () => atHead(network))
  expect(wrong(await run())).toEqual([])
})

test('the command prints differences and sets its exit code', async () => {
  const command = async (...args: string[]) => {
    const { chain, api } = network
    const child = spawn(process.execPath, ['scripts/reindex.ts', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ...chainEnvironment(chain, api.db.url),
      },
    })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    const [code] = await once(child, 'close')
    return { code, printed }
  }
  expect(await command()).toMatchObject({
    code: 0,
    printed: expect.stringContaining('match the chain'),
  })
  await network.api.db.sql`update accounts set published = 5 where address = ${other.address.toLowerCase()}`
  const found = await command()
  expect(found.code).toBe(1)
  expect(found.printed).toContain(other.address.toLowerCase())
  expect(await command('--replace')).toMatchObject({ code: 0 })
  expect(wrong(await run())).toEqual([])
})
