import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '#lib/core/context/context.ts'
import { follow } from '#lib/core/people/follows.ts'
import { countNewNotices, listNotices, seeNotices } from '#lib/core/people/notices.ts'
import { collectNextNotices } from '#lib/features/social/collect-notices.ts'
import { setMark } from '#lib/features/social/marks.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { followedView } from '#lib/views/own-lists.ts'
import { newPerson } from '#test/server/services/people.ts'
import { startApi, type TestApi } from '#test/support/api.ts'

const FORMAT = `0x${'0f'.repeat(32)}`

let api: TestApi
let block = 0
/** A new account that published `mine`. */
let ada: Context
let account: Address
let mine: string

beforeAll(async () => {
  api = await startApi('services')
  await api.db.sql`
    insert into worker_state (chain_id, registry, processed_block, head_block, safe_block, finalized_block, updated_at_ms)
    values (31337, '0x', 0, 0, 0, 0, 0)`
  await api.db.sql`insert into formats (format_hash, scalars, connectors) values (${FORMAT}, '[]', 1)`
  await collectNextNotices(api.db)
})
afterAll(() => api?.close())
beforeEach(async () => {
  ada = await newAccount()
  account = ada.session?.address as Address
  mine = `mine_${block}`
  await publish(account, mine)
})

async function newAccount(): Promise<Context> {
  const address = (await newPerson(api)).address.toLowerCase() as Address
  return { ...api.services, session: { id: '', address, roles: [] } } as unknown as Context
}

/** A connector with its deltas, as the worker writes them: first observed, then finalized. */
async function publish(owner: string, name: string, part: { uses?: string; remixes?: string } = {}) {
  const { sql } = api.db
  const cursor = `${String(++block).padStart(15, '0')}-00000000-00000000`
  await sql`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, format_hash, block_number, block_hash,
      tx_hash, tx_index, log_index)
    values ('connector', ${name}, ${owner}, '0x', '0x', '0x', ${FORMAT}, ${block}, '0x', '0x', 0, 0)`
  await sql`
    insert into feed_items (feed_id, event_type, status, visible, tx_hash, block_number, block_hash, tx_index, log_index,
      history_cursor, created_at_ms, updated_at_ms, projector_version, kind, name, owner, format_hash)
    values (${`31337:connector_added:${name}`}, 'connector_added', 'finalized', true, '0x', ${block}, '0x', 0, 0, ${cursor},
      ${block}, 0, 1, 'connector', ${name}, ${owner}, ${FORMAT})`
  if (part.uses) {
    await sql`
      insert into entity_references (kind, name, connector, uses) values ('connector', ${part.uses}, ${name}, 1)`
  }
  if (part.remixes) {
    await sql`
      insert into entity_origins (kind, name, origin_kind, origin_name, block_number, tx_index, log_index)
      values ('connector', ${name}, 'connector', ${part.remixes}, ${block}, 0, 0)`
  }
  for (const status of ['observed', 'finalized']) {
    await sql`
      insert into feed_outbox (stream_seq, feed_id, event_type, status, history_cursor, created_at_ms, kind, name, owner)
      select coalesce(max(stream_seq), 0) + 1, ${`31337:connector_added:${name}`}, 'connector_added', ${status}, ${cursor},
        ${block}, 'connector', ${name}, ${owner} from feed_outbox`
  }
}

async function collect() {
  while ((await collectNextNotices(api.db)) > 0);
  return listNotices(api, { account, limit: 500 })
}

test('an account is told once who builds on its work, remixes it and follows it, and sees what is new', async () => {
  const ben = await newAccount()
  await publish(account, `own_${mine}`, { uses: mine })
  await publish(`0x${'b1'.repeat(20)}`, `user_of_${mine}`, { uses: mine, remixes: mine })
  await follow(ben, { followedId: account })
  const told = await collect()
  expect(told.map(({ what, of, by, isNew }) => [what, of?.name, by?.name, isNew])).toEqual([
    ['built', mine, `user_of_${mine}`, true],
    ['remixed', mine, `user_of_${mine}`, true],
    ['followed', undefined, undefined, true],
  ])
  expect(await countNewNotices(api, account)).toBe(3)
  await seeNotices(ada)
  expect(await countNewNotices(api, account)).toBe(0)
  await api.db.sql`delete from entities where name = ${`user_of_${mine}`}`
  expect((await collect()).map(({ what, isNew }) => [what, isNew])).toEqual([['followed', false]])
})

test('a flood of one actor leaves room for others, and the list is bounded', async () => {
  const flooder = `0x${'f2'.repeat(20)}`
  for (let index = 0; index < 25; index++) await publish(flooder, `flood_${index}_${mine}`, { uses: mine })
  await publish(`0x${'b2'.repeat(20)}`, `other_${mine}`, { uses: mine })
  const told = await collect()
  expect(told).toHaveLength(21)
  expect(told.some(({ by }) => by?.name === `other_${mine}`)).toBe(true)
  await api.db.sql`
    insert into notices (account, what, actor, kind, name, by_kind, by_name, created_at)
    select ${account}, 'built', '0x', 'connector', ${mine}, 'connector', 'x' || n, now() from generate_series(1, 300) n`
  await publish(`0x${'b3'.repeat(20)}`, `last_${mine}`, { uses: mine })
  await collect()
  const [row] = await api.db.sql`select count(*)::int as count from notices where account = ${account}`
  expect(row?.count).toBe(200)
})

test('the feed of what is followed has accounts and formats', async () => {
  const ben = await newAccount()
  await follow(ben, { followedId: account })
  const reader = ben.session?.address as Address
  const names = async () => (await followedView(ben, reader, undefined)).items.map(({ name }) => name)
  expect(await names()).toEqual([mine])
  await setMark(ben, { mark: 'follow', kind: 'format', name: FORMAT, on: true })
  expect((await names())[0]).toBe(mine)
  expect((await names()).length).toBeGreaterThan(1)
  expect(new Set(await names()).size).toBe((await names()).length)
})
