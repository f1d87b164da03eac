import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import type { EventStreamReader } from '#test/support/event-stream.ts'
import { type FeedTables, feedTables } from './feed-tables.ts'
import { type StreamSite, startStreamSite } from './stream-site.ts'

const ANNA: Address = `0x${'a1'.repeat(20)}`
const BEN: Address = `0x${'b2'.repeat(20)}`
const FORMAT: Hash = `0x${'f0'.repeat(32)}`
const OTHER_FORMAT: Hash = `0x${'0f'.repeat(32)}`

let db: TestDatabase
let feed: FeedTables
let site: StreamSite

beforeEach(async () => {
  db = await createTestDatabase()
  feed = await feedTables(db.sql)
  site = await startStreamSite(db.url, { tickMs: 100 })
})
afterEach(async () => {
  await site.close()
  await db.close()
})

/** Numbers 1 to 5. */
async function publishSome(): Promise<void> {
  await feed.publish(
    { name: 'pitch', blockNumber: 1, owner: ANNA, format: FORMAT },
    { name: 'time', blockNumber: 2, owner: BEN, format: OTHER_FORMAT },
    { name: 'add', kind: 'transformation', blockNumber: 3, owner: ANNA },
    { name: 'pitch', kind: 'condition', blockNumber: 4, owner: BEN },
    { name: 'sub', blockNumber: 5, owner: BEN, format: FORMAT },
  )
}

async function numbersUpToMeta(reader: EventStreamReader): Promise<(number | undefined)[]> {
  const frames = await reader.until(({ event }) => event === 'stream_meta')
  return frames.flatMap(({ event, id }) => (event === undefined || event === 'stream_meta' ? [] : [id]))
}

test('each part of a filter selects, and all that are given must fit', async () => {
  await publishSome()
  const cases = [
    ['kind=connector', [1, 2, 5]],
    ['kind=condition', [4]],
    [`owner=${ANNA}`, [1, 3]],
    [`owner=${ANNA.slice(2).toUpperCase()}`, [1, 3]],
    [`format=${FORMAT}`, [1, 5]],
    [`format=${FORMAT.slice(2)}`, [1, 5]],
    ['name=pitch', [1, 4]],
    [`name=pitch&kind=condition&owner=${BEN}`, [4]],
    [`name=pitch&owner=${BEN}&format=${FORMAT}`, []],
    ['name=toString', []],
    ['', [1, 2, 3, 4, 5]],
  ] as const
  for (const [query, numbers] of cases) {
    const reader = await site.open(query)
    expect(await numbersUpToMeta(reader), query).toEqual(numbers)
    reader.close()
  }
})

test('a filtered reader learns how far it is, and resumes there', async () => {
  await publishSome()
  const reader = await site.open(`owner=${ANNA}`)
  await numbersUpToMeta(reader)
  // After the replay, because the newest two belong to another account.
  expect(await reader.next()).toEqual({ event: 'position', id: 5, data: { stream_seq: 5 } })
  await feed.publish(
    { name: 'x', blockNumber: 6, owner: BEN },
    { name: 'y', blockNumber: 7, owner: ANNA },
    { name: 'z', blockNumber: 8, owner: BEN },
  )
  const [live] = (await reader.until(({ event }) => event === 'connector_added')).slice(-1)
  expect(live).toMatchObject({ id: 7, data: { stream_seq: 7, payload: { name: 'y' } } })
  const frames = await reader.until(({ id }) => id === 8)
  expect(frames.at(-1)).toEqual({ event: 'position', id: 8, data: { stream_seq: 8 } })
  // Nothing is announced twice: from here on idle ticks are comments.
  expect(await reader.next()).toEqual({ comment: 'keepalive' })
  reader.close()
  await feed.publish({ name: 'w', blockNumber: 9, owner: ANNA })
  const again = await site.open(`owner=${ANNA}&since_seq=2`, { headers: { 'Last-Event-ID': '8' } })
  expect(await numbersUpToMeta(again)).toEqual([9])
})

test('a removed event is sent to readers of its format', async () => {
  await publishSome()
  const reader = await site.open(`format=${FORMAT}&since_seq=5`)
  await numbersUpToMeta(reader)
  await feed.rollbackTo(4)
  const removed = (await reader.until(({ event }) => event === 'connector_added')).at(-1)
  expect(removed).toMatchObject({ data: { status: 'removed', payload: { name: 'sub' } } })
})

test('a filter that little passes is found beyond any number of others', async () => {
  await feed.publish({ name: 'first', blockNumber: 1, owner: ANNA })
  await feed.append(11_000)
  await feed.publish({ name: 'last', blockNumber: 2, owner: ANNA })
  await feed.append(20)
  const reader = await site.open(`owner=${ANNA}&limit=1`)
  const meta = (await reader.until(({ event }) => event === 'stream_meta')).at(-1)
  expect(meta?.data).toMatchObject({ has_more: true, last_seq: 1 })
  const frames = await reader.until(({ id }) => id === 11_002)
  expect(frames.filter(({ event }) => event === 'connector_added').map(({ id }) => id)).toEqual([11_002])
  await reader.until(({ event, id }) => event === 'position' && id === 11_022)
})

test('a stream without a filter has no positions', async () => {
  await publishSome()
  const reader = await site.open()
  expect(await numbersUpToMeta(reader)).toEqual([1, 2, 3, 4, 5])
  expect(await reader.next()).toEqual({ comment: 'keepalive' })
})

test('400 for a filter that cannot be', async () => {
  const page = site.url.replace('/stream', '')
  const bad = [
    'kind=world',
    'kind=',
    'owner=0x12',
    'format=abc',
    'name=',
    'name=a-b',
    'name=%00',
    'kind=a&kind=b',
  ]
  for (const query of [...bad, `name=${'x'.repeat(129)}`]) {
    for (const url of [`${site.url}?${query}`, `${page}?limit=5&${query}`]) {
      const answer = await fetch(url)
      expect(answer.status, url).toBe(400)
      expect(await answer.json()).toEqual({ message: expect.stringMatching(/kind|owner|format|name/) })
    }
  }
})

test('the feed page by page takes the same filters', async () => {
  await publishSome()
  const names = async (query: string) => {
    const answer = await fetch(`${site.url.replace('/stream', '')}?limit=10&${query}`)
    expect(answer.status, query).toBe(200)
    const { items } = (await answer.json()) as { items: { payload: { name: string; type: string } }[] }
    return items.map(({ payload }) => `${payload.type}/${payload.name}`)
  }
  expect(await names('name=pitch')).toEqual(['condition/pitch', 'connector/pitch'])
  expect(await names(`format=${FORMAT}`)).toEqual(['connector/sub', 'connector/pitch'])
  expect(await names(`owner=${ANNA}&kind=transformation`)).toEqual(['transformation/add'])
  expect(await names('kind=connector&type=condition_added')).toEqual([])
})
