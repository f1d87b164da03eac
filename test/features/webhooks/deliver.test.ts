import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deliverWebhooks } from '#lib/features/webhooks/deliver.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { type FeedTables, feedTables } from '#test/core/feed/feed-tables.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { drawn, SEED } from '#test/support/slice.ts'
import { until } from '#test/support/until.ts'
import { killRounds } from './kill-rounds.ts'
import { insertEndpoint, isSigned, type Receiver, startReceiver } from './receiver.ts'

/** Kills of a delivering process. */
const ROUNDS = drawn(2)
const ANNA: Address = `0x${'a1'.repeat(20)}`

let db: TestDatabase
let feed: FeedTables
let receiver: Receiver
let ending: AbortController
let delivering: Promise<void>[]

beforeEach(async () => {
  db = await createTestDatabase()
  feed = await feedTables(db.sql)
  receiver = await startReceiver()
  ending = new AbortController()
  delivering = []
})
afterEach(async () => {
  ending.abort()
  await Promise.all(delivering)
  await receiver.close()
  await db.close()
})

function deliver(timeoutMs = 30_000): void {
  const config = { databaseUrl: db.url, webhooksAllowLoopback: true }
  const log = pino({ level: 'silent' })
  delivering.push(deliverWebhooks({ config, log }, ending.signal, { pollMs: 30, timeoutMs }))
}

function endpoint(
  id: string,
  filter: { filter_kind?: string; filter_owner?: string; owner?: string } = {},
): Promise<string> {
  return insertEndpoint(db.sql, { id, url: `http://127.0.0.1:${receiver.port}/${id}`, ...filter })
}

async function stored(id: string): Promise<Record<string, unknown>> {
  const [row] = await db.sql`
    select *, position::int as position, due_at > failing_since as is_later from webhook_endpoints where id = ${id}`
  return row as Record<string, unknown>
}

async function attempts(id: string) {
  return db.sql<{ message_id: string; attempt: number; status: number | null; error: string | null }[]>`
    select message_id, attempt, status, error from webhook_deliveries where endpoint_id = ${id} order by id`
}

test('what fits the filter arrives in order, signed, with the number as its key', async () => {
  const secret = await endpoint('all')
  await endpoint('conditions', { filter_kind: 'condition' })
  await endpoint('anna', { filter_owner: ANNA })
  await feed.publish(
    { name: 'pitch', blockNumber: 1, owner: ANNA },
    { name: 'loud', kind: 'condition', blockNumber: 2 },
    { name: 'time', blockNumber: 3 },
  )
  deliver()
  await until('all are at the end', async () => {
    const rows = await db.sql`select 1 from webhook_endpoints where position = 3`
    return rows.length === 3
  })
  expect(receiver.numbers('/all')).toEqual([1, 2, 3])
  expect(receiver.numbers('/conditions')).toEqual([2])
  expect(receiver.numbers('/anna')).toEqual([1])
  const [first] = receiver.received.filter(({ path }) => path === '/all')
  expect(first && isSigned(first, secret)).toBe(true)
  expect(first?.headers).toMatchObject({
    'webhook-id': 'seq_1',
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'content-type': 'application/json',
  })
  expect(JSON.parse(first?.body ?? '')).toEqual({
    type: 'connector_added',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: {
      stream_seq: 1,
      event_type: 'connector_added',
      status: 'observed',
      feed_id: '31337:connector_added:pitch',
      history_cursor: '000000000000001-00000000-00000000',
      created_at_ms: expect.any(Number),
      payload: { type: 'connector', name: 'pitch', owner: ANNA },
    },
  })
  // Live, with both secrets after a rotation.
  await db.sql`
    update webhook_endpoints set previous_secret = secret, previous_secret_until = now() + interval '1 hour',
      secret = ${`whsec_${Buffer.alloc(32, 7).toString('base64')}`} where id = 'all'`
  await feed.publish({ name: 'live', blockNumber: 4 })
  await until('the live one arrives', () => receiver.numbers('/all').includes(4))
  const live = receiver.received.find(({ path, id }) => path === '/all' && id === 'seq_4')
  expect(live && isSigned(live, secret)).toBe(true)
  expect(live && isSigned(live, `whsec_${Buffer.alloc(32, 7).toString('base64')}`)).toBe(true)
})

test('a failure is retried later with the same id, before anything that follows', async () => {
  await endpoint('all')
  let failures = 2
  receiver.answer = (_, response) => response.writeHead(failures-- > 0 ? 500 : 200).end('thanks')
  await feed.publish({ name: 'a', blockNumber: 1 }, { name: 'b', blockNumber: 2 })
  deliver()
  for (const attempt of [1, 2]) {
    await until(`attempt ${attempt} is recorded`, async () => (await attempts('all')).length === attempt)
    const row = await stored('all')
    expect(row).toMatchObject({ position: 0, attempts: attempt, state: 'active', slow: true })
    expect(row.is_later).toBe(true)
    await db.sql`update webhook_endpoints set due_at = now()`
  }
  await until('both arrived', async () => (await stored('all')).position === 2)
  expect(receiver.numbers('/all')).toEqual([1, 1, 1, 2])
  expect(await stored('all')).toMatchObject({ attempts: 0, failing_since: null })
  expect(await attempts('all')).toEqual([
    { message_id: 'seq_1', attempt: 1, status: 500, error: 'status 500' },
    { message_id: 'seq_1', attempt: 2, status: 500, error: 'status 500' },
    { message_id: 'seq_1', attempt: 3, status: 200, error: null },
    { message_id: 'seq_2', attempt: 1, status: 200, error: null },
  ])
})

test('disabled after three days of failure, and at once by 410', async () => {
  await endpoint('failing')
  await endpoint('gone')
  await endpoint('young')
  await db.sql`update webhook_endpoints set failing_since = now() - interval '73 hours' where id = 'failing'`
  await db.sql`update webhook_endpoints set failing_since = now() - interval '71 hours' where id = 'young'`
  receiver.answer = ({ path }, response) => response.writeHead(path === '/gone' ? 410 : 503).end()
  await feed.publish({ name: 'a', blockNumber: 1 })
  deliver()
  await until('each was tried', async () => {
    const rows = await db.sql`select 1 from webhook_deliveries`
    return rows.length === 3
  })
  await until('two are disabled', async () => {
    const rows = await db.sql`select 1 from webhook_endpoints where state = 'disabled'`
    return rows.length === 2
  })
  expect(await stored('failing')).toMatchObject({
    position: 0,
    disabled_reason: 'It failed for three days, at last with: status 503',
  })
  expect(await stored('gone')).toMatchObject({ disabled_reason: 'The receiver answered 410 (gone).' })
  expect(await stored('young')).toMatchObject({ state: 'active' })
})

test('a receiver that never answers keeps nobody else waiting', async () => {
  receiver.answer = ({ path }, response) => {
    if (path === '/quick') response.writeHead(204).end()
  }
  for (let i = 0; i < 40; i++) await endpoint(`silent${i}`)
  await db.sql`update webhook_endpoints set slow = true`
  await endpoint('quick')
  deliver()
  await feed.publish({ name: 'a', blockNumber: 1 }, { name: 'b', blockNumber: 2 })
  await until('the quick one has both', async () => (await stored('quick')).position === 2)
  const waiting = new Set(receiver.received.map(({ path }) => path))
  waiting.delete('/quick')
  expect(waiting.size).toBeLessThanOrEqual(16)
})

test('test events to receivers that never answer take an eighth of the slots, one of an owner', async () => {
  const owners = ['b1', 'b2', 'b3', 'b4', 'b5'].map((byte) => `0x${byte.repeat(20)}`)
  for (const owner of owners)
    for (let n = 0; n < 10; n++) await endpoint(`dead-${owner.slice(2, 4)}-${n}`, { owner })
  await db.sql`update webhook_endpoints set test_id = 'test_' || id, state = 'paused'`
  receiver.answer = ({ path }, response) => {
    if (!path.startsWith('/dead')) response.writeHead(204).end()
  }
  deliver()
  await until('four wait for an answer', async () => receiver.received.length === 4)
  await endpoint('fine')
  await feed.publish({ name: 'pitch', blockNumber: 1 })
  await until('the other is delivered', async () => receiver.numbers('/fine').length === 1)
  const dead = receiver.received.filter(({ path }) => path.startsWith('/dead'))
  expect(new Set(dead.map(({ path }) => path.slice(0, 8))).size).toBe(4)
  expect(dead.filter(({ id }) => id.startsWith('test_')).length).toBe(4)
})

test('two processes never work on one endpoint at a time', async () => {
  await endpoint('all')
  let inFlight = 0
  let most = 0
  receiver.answer = (_, response) => {
    inFlight += 1
    most = Math.max(most, inFlight)
    setTimeout(() => {
      inFlight -= 1
      response.writeHead(204).end()
    }, 5)
  }
  deliver()
  deliver()
  for (let block = 1; block <= 5; block++) {
    await feed.publish(
      ...Array.from({ length: 5 }, (_, i) => ({ name: `n${block}_${i}`, blockNumber: block })),
    )
  }
  await until('all arrived', async () => (await stored('all')).position === 25)
  expect(most).toBe(1)
  expect(receiver.numbers('/all')).toEqual(Array.from({ length: 25 }, (_, i) => i + 1))
})

test('nothing is sent while it is paused, and a position beyond the feed becomes its end', async () => {
  await endpoint('all')
  await endpoint('other')
  await db.sql`update webhook_endpoints set state = 'paused' where id = 'all'`
  await feed.publish({ name: 'a', blockNumber: 1 })
  deliver()
  await until('the other one has it', () => receiver.numbers('/other').includes(1))
  expect(receiver.numbers('/all')).toEqual([])
  // As after a restored backup.
  await db.sql`update webhook_endpoints set state = 'active', position = 900 where id = 'all'`
  await until('its position is that of the feed', async () => (await stored('all')).position === 1)
  await feed.publish({ name: 'b', blockNumber: 2 })
  await until('it goes on', () => receiver.numbers('/all').includes(2))
  expect(receiver.numbers('/all')).toEqual([2])
})

test('nothing is lost and nothing comes out of order when the process is killed', async () => {
  const result = await killRounds(db, { rounds: ROUNDS, seed: SEED, patienceMs: 60_000 })
  expect(result.violations).toEqual([])
  expect(result.received).toBeGreaterThanOrEqual(result.published)
})
