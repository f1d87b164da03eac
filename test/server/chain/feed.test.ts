import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listFeedItems } from '#lib/core/feed/list-items.ts'
import { type FeedTables, feedTables } from '#test/core/feed/feed-tables.ts'
import { messageOf, startApi, type TestApi } from '#test/support/api.ts'

let api: TestApi
let feed: FeedTables

beforeAll(async () => {
  api = await startApi('chain', { chainId: 31_337 })
  feed = await feedTables(api.db.sql)
})
beforeEach(async () => {
  await api.db.sql`truncate feed_items, feed_outbox`
})
afterAll(() => api.close())

interface Page {
  readonly limit: number
  readonly cursor: { readonly has_more: boolean; readonly next_before: string | null }
  readonly items: readonly {
    readonly feed_id: string
    readonly status: string
    readonly history_cursor: string
    readonly payload: { readonly name: string }
  }[]
}

async function page(query: string): Promise<Page> {
  const answer = await api.send('GET', `/feed?${query}`)
  expect(answer.status, messageOf(answer)).toBe(200)
  return answer.json as Page
}

function names({ items }: Page) {
  return items.map(({ payload }) => payload.name)
}
function nextOf({ cursor }: Page) {
  return encodeURIComponent(cursor.next_before ?? '')
}

describe('GET_feed', () => {
  test('200: every field of an item, and an empty feed', async () => {
    expect(await page('limit=7')).toEqual({
      limit: 7,
      cursor: { has_more: false, next_before: null },
      items: [],
    })
    await feed.publish({ name: 'toString', kind: 'transformation', blockNumber: 42, logIndex: 3 })
    const [item] = (await page('limit=1')).items
    expect(item).toEqual({
      feed_id: '31337:transformation_added:toString',
      event_type: 'transformation_added',
      status: 'observed',
      visible: true,
      tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      block_number: 42,
      tx_index: 0,
      log_index: 3,
      history_cursor: '000000000000042-00000000-00000003',
      created_at_ms: 42_000,
      updated_at_ms: expect.any(Number),
      projector_version: 1,
      payload: { type: 'transformation', name: 'toString', owner: `0x${'ab'.repeat(20)}` },
    })
  })

  test('filters by type and by finality; what was taken back is not listed', async () => {
    await feed.publish({ name: 'a', blockNumber: 1 }, { name: 'b', kind: 'condition', blockNumber: 2 })
    await feed.advanceFinality({ safe: 2, finalized: 1 })
    await feed.publish({ name: 'c', blockNumber: 3 }, { name: 'd', blockNumber: 4 })
    await feed.rollbackTo(3)
    expect(names(await page('limit=9'))).toEqual(['c', 'b', 'a'])
    expect(names(await page('limit=9&include_unfinalized=1'))).toEqual(['c', 'b', 'a'])
    expect(names(await page('limit=9&include_unfinalized=0'))).toEqual(['a'])
    expect(names(await page('limit=9&type=condition_added'))).toEqual(['b'])
    expect(names(await page('limit=9&type=connector_added&include_unfinalized=0'))).toEqual(['a'])
    const listed = await listFeedItems(api.services, { limit: 9 })
    expect(listed.items.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'c observed',
      'b safe',
      'a finalized',
    ])
    const removed = await listFeedItems(api.services, { limit: 9, status: 'removed' })
    expect(removed.items.map(({ name, status, visible }) => [name, status, visible])).toEqual([
      ['d', 'removed', false],
    ])
  })

  test.each([
    '',
    'limit=0',
    'limit=5&limit=5',
    'limit=5&before=',
    'limit=5&before=%20',
    'limit=5&before=xyz',
    'limit=5&before=c1700000000000:5:0:eth:1:connector_added:pitch',
    'limit=5&before=42-0-0',
    'limit=5&before=000000000000042-00000000-00000000~',
    'limit=5&before=000000000000042-00000000-00000000~1~1:connector_added:bad name',
    'limit=5&before=000000000000042-00000000-00000000~1~1:thing_added:a',
    'limit=5&before=000000000000042-00000000-00000000~9~1:connector_added:another_chain',
    'limit=5&before=000000000000042-00000000-00000000%00',
    'limit=5&before=%FF',
    'limit=5&before=000000000000042-00000000-00000000&before=000000000000042-00000000-00000000',
    'limit=5&type=connector',
    'limit=5&type=',
    'limit=5&type=__proto__',
    'limit=5&include_unfinalized=2',
    'limit=5&include_unfinalized=true',
    'limit=5&include_unfinalized=',
  ])('400: %s', async (query) => {
    const answer = await api.send('GET', `/feed?${query}`)
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).not.toBe('')
  })

  test('a cursor is trimmed, may be percent-encoded, and need not exist; an item has one too', async () => {
    await feed.publish(...[1, 2, 3, 4].map((blockNumber) => ({ name: `n${blockNumber}`, blockNumber })))
    const first = await page('limit=2')
    expect(names(first)).toEqual(['n4', 'n3'])
    expect(names(await page(`limit=2&before=${nextOf(first)}`))).toEqual(['n2', 'n1'])
    expect(names(await page(`limit=2&before=%20${nextOf(first)}%20`))).toEqual(['n2', 'n1'])
    expect(names(await page(`limit=2&before=${first.items[1]?.history_cursor}`))).toEqual(['n2', 'n1'])
    expect(names(await page('limit=9&before=000000000000003-99999999-00000000'))).toEqual(['n3', 'n2', 'n1'])
    expect(names(await page('limit=9&before=000000000000000-00000000-00000000'))).toEqual([])
  })
})

/** Events of the feed between two pages. */
type Happening =
  | { readonly kind: 'publish'; readonly count: number }
  | { readonly kind: 'reorganise'; readonly depth: number; readonly delay: number; readonly lost: number }
  | { readonly kind: 'finalize' }

const happenings = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('publish' as const), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      kind: fc.constant('reorganise' as const),
      depth: fc.integer({ min: 1, max: 8 }),
      delay: fc.integer({ min: -3, max: 5 }),
      lost: fc.integer({ min: 0, max: 2 }),
    }),
    fc.record({ kind: fc.constant('finalize' as const) }),
  ),
  { maxLength: 3 },
)

test('walking the pages meets what stays once, whatever happens in between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(happenings, { minLength: 1, maxLength: 8 }),
      async (count, limit, between) => {
        await api.db.sql`truncate feed_items, feed_outbox`
        const chain = new SmallChain(feed)
        for (let i = 0; i < count; i++) await chain.publish(1)
        const begun = await visible()
        const vanished = new Set<string>()
        const met: string[] = []
        let before: string | null = null
        do {
          const cursor: string = before === null ? '' : `&before=${encodeURIComponent(before)}`
          const shown: Page = await page(`limit=${limit}${cursor}`)
          met.push(...shown.items.map(({ feed_id }) => feed_id))
          before = shown.cursor.next_before
          for (const happening of between.shift() ?? []) await chain.happen(happening)
          const now = await visible()
          for (const id of begun) if (!now.has(id)) vanished.add(id)
        } while (before !== null)
        expect(met).toEqual([...new Set(met)])
        for (const id of begun) if (!vanished.has(id)) expect(met).toContain(id)
      },
    ),
    { numRuns: 20, seed: 11 },
  )
})

async function visible(): Promise<Set<string>> {
  const rows = await api.db.sql<{ feed_id: string }[]>`select feed_id from feed_items where visible`
  return new Set(rows.map(({ feed_id }) => feed_id))
}

/** A minimal chain with reorgs: the entities of each block. */
class SmallChain {
  readonly #feed: FeedTables
  readonly #names = new Map<string, number>()
  #head = 10
  #finalized = 0
  #next = 0

  constructor(tables: FeedTables) {
    this.#feed = tables
  }

  async publish(count: number): Promise<void> {
    this.#head += 1
    const published = Array.from({ length: count }, (_, logIndex) => ({
      name: `n${this.#next++}`,
      blockNumber: this.#head,
      logIndex,
    }))
    for (const { name } of published) this.#names.set(name, this.#head)
    await this.#feed.publish(...published)
  }

  async happen(happening: Happening): Promise<void> {
    if (happening.kind === 'publish') return this.publish(happening.count)
    if (happening.kind === 'finalize') {
      this.#finalized = this.#head - 6
      return this.#feed.advanceFinality({ safe: this.#head - 3, finalized: this.#finalized })
    }
    const ancestor = Math.max(this.#finalized, this.#head - happening.depth)
    const gone = [...this.#names].filter(([, block]) => block > ancestor).map(([name]) => name)
    await this.#feed.rollbackTo(ancestor)
    for (const name of gone) this.#names.delete(name)
    // Most come back: in another order, and in a block that is earlier or later than theirs was.
    const back = gone.slice(happening.lost).toReversed()
    const blockNumber = Math.max(ancestor + 1, this.#head + happening.delay)
    for (const name of back) this.#names.set(name, blockNumber)
    this.#head = Math.max(this.#head, blockNumber)
    if (back.length > 0) {
      await this.#feed.publish(...back.map((name, logIndex) => ({ name, blockNumber, logIndex })))
    }
  }
}
