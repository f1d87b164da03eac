import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { until } from '#test/support/until.ts'
import { feed, isMeta, newFeeds, opening, seqs, span, start, take } from './stream-scene.ts'

newFeeds()

describe('the wire', () => {
  test('comment, replay, one stream_meta without an id, then live deltas', async () => {
    const site = await start()
    await feed.publish({ name: '__proto__', kind: 'condition', blockNumber: 7, logIndex: 2 })
    const reader = await site.open()
    expect(reader.status).toBe(200)
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    })
    expect(reader.headers['content-length']).toBeUndefined()
    const frames = await reader.until(isMeta)
    expect(frames).toEqual([
      { comment: 'min_available_seq=1' },
      {
        id: 1,
        event: 'condition_added',
        data: {
          stream_seq: 1,
          event_type: 'condition_added',
          status: 'observed',
          feed_id: '31337:condition_added:__proto__',
          history_cursor: '000000000000007-00000000-00000002',
          created_at_ms: expect.any(Number),
          payload: JSON.parse(`{"type":"condition","name":"__proto__","owner":"0x${'ab'.repeat(20)}"}`),
        },
      },
      {
        event: 'stream_meta',
        data: {
          has_more: false,
          last_seq: 1,
          requested_since_seq: 0,
          min_available_seq: 1,
          replay_floor_seq: 1,
          stale_since_seq: false,
        },
      },
    ])
    await feed.rollbackTo(6)
    const [removed] = await reader.until(({ id }) => id === 2)
    expect(removed).toMatchObject({
      event: 'condition_added',
      data: { status: 'removed', feed_id: '31337:condition_added:__proto__' },
    })
  })

  test('a new feed', async () => {
    const site = await start()
    const frames = await (await site.open()).until(isMeta)
    expect(frames[0]).toEqual({ comment: 'min_available_seq=0' })
    expect(frames[1]?.data).toEqual({
      has_more: false,
      last_seq: null,
      requested_since_seq: 0,
      min_available_seq: 0,
      replay_floor_seq: 0,
      stale_since_seq: false,
    })
  })

  test('400 as JSON for a bad query', async () => {
    const site = await start()
    const queries = [
      ...['limit=0', 'limit=2049', 'limit=x', 'limit=', 'limit=007', 'limit=5&limit=5'],
      ...['since_seq=-1', 'since_seq=x', 'since_seq=', 'since_seq=01', 'since_seq=1.0', 'since_seq=%FF'],
      ...['since_seq=9223372036854775808', 'since_seq=1&since_seq=1'],
    ]
    for (const query of queries) {
      const response = await fetch(`${site.url}?${query}`)
      expect(response.status, query).toBe(400)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await response.json()).toEqual({ message: expect.stringMatching(/since_seq|limit/) })
    }
  })

  test('the larger of Last-Event-ID and since_seq counts, invalid positions are ignored', async () => {
    const site = await start()
    await feed.append(9)
    const from = async (query: string, id: string) =>
      opening(await site.open(query, { headers: { 'Last-Event-ID': id } }))
    expect(await from('', '6')).toMatchObject({ replayed: [7, 8, 9], meta: { requested_since_seq: 6 } })
    // A browser repeats the address of its stream after a cut.
    expect(await from('since_seq=2', '6')).toMatchObject({
      replayed: [7, 8, 9],
      meta: { requested_since_seq: 6 },
    })
    expect((await from('since_seq=8', '6')).replayed).toEqual([9])
    const junk = [
      '',
      ' ',
      'junk',
      '-1',
      '6.5',
      '1e3',
      '0x6',
      '06',
      '6, 7',
      '9223372036854775808',
      '9'.repeat(5000),
    ]
    for (const id of junk) {
      expect(await from('since_seq=7', id), id.slice(0, 30)).toMatchObject({
        replayed: [8, 9],
        meta: { requested_since_seq: 7 },
      })
    }
    expect((await from('', 'junk')).replayed).toEqual(span(1, 9))
  })

  test('a position beyond the end starts at the end', async () => {
    const site = await start()
    await feed.append(3)
    for (const [id, stale] of [
      ['50', false],
      ['1003', false],
      // Of another history: a database that was restored. What comes then has smaller numbers.
      ['1010', true],
      ['9223372036854775807', true],
    ] as const) {
      const reader = await site.open('since_seq=1', { headers: { 'Last-Event-ID': id } })
      expect(await opening(reader)).toMatchObject({ replayed: [], meta: { stale_since_seq: stale } })
      await feed.append(1)
      expect(await take(reader, 1)).toHaveLength(1)
    }
  })

  test('keep-alive comments', async () => {
    const site = await start({ tickMs: 40 })
    const reader = await site.open()
    await opening(reader)
    for (let i = 0; i < 3; i++) expect(await reader.next()).toEqual({ comment: 'keepalive' })
  })
})

describe('resuming', () => {
  test('the replay is bounded, and the rest follows at once, in order', async () => {
    const site = await start()
    await feed.append(1800)
    const reader = await site.open('since_seq=3&limit=4')
    const { replayed, meta } = await opening(reader)
    expect(replayed).toEqual([4, 5, 6, 7])
    expect(meta).toMatchObject({ has_more: true, last_seq: 7, requested_since_seq: 3 })
    expect(await take(reader, 1793)).toEqual(span(8, 1800))
    await feed.append(2)
    expect(await take(reader, 2)).toEqual([1801, 1802])
  })

  test('a future number: live deltas, and the exact echo', async () => {
    const site = await start()
    await feed.append(3)
    for (const since of ['4', '9007199254740993', '9223372036854775807']) {
      const reader = await site.open(`since_seq=${since}`)
      const { replayed, meta } = await opening(reader)
      expect(replayed).toEqual([])
      expect(meta).toMatchObject({
        requested_since_seq: Number(since),
        stale_since_seq: since !== '4',
        last_seq: null,
      })
      reader.close()
    }
    const text = await rawStart(`${site.url}?since_seq=9007199254740993`)
    expect(text).toContain('"requested_since_seq":9007199254740993,')
    const reader = await site.open('since_seq=900')
    await opening(reader)
    await feed.append(1)
    expect(await take(reader, 1)).toEqual([4])
  })

  test('stale_since_seq is true exactly when deltas after the number were pruned', async () => {
    const site = await start()
    await feed.append(10)
    await feed.prune(4)
    const asked = async (since: number) => {
      const reader = await site.open(`since_seq=${since}`)
      const { replayed, meta } = await opening(reader)
      reader.close()
      return { first: replayed[0], ...meta }
    }
    const bounds = { min_available_seq: 5, replay_floor_seq: 5 }
    expect(await asked(3)).toMatchObject({ ...bounds, stale_since_seq: true, first: 5 })
    expect(await asked(4)).toMatchObject({ ...bounds, stale_since_seq: false, first: 5 })
    expect(await asked(9)).toMatchObject({ ...bounds, stale_since_seq: false, first: 10 })
    expect(await asked(0)).toMatchObject({ ...bounds, stale_since_seq: true, first: 5 })
    await feed.prune(10)
    const none = { min_available_seq: 11, replay_floor_seq: 11, last_seq: null, first: undefined }
    expect(await asked(9)).toMatchObject({ ...none, stale_since_seq: true })
    expect(await asked(10)).toMatchObject({ ...none, stale_since_seq: false })

    const reader = await site.open('since_seq=2')
    await opening(reader)
    await feed.append(1)
    expect(await take(reader, 1)).toEqual([11])
  })
})

describe('readers', () => {
  test('a slow consumer is disconnected at the bound and resumes; others miss nothing', async () => {
    const site = await start({ bufferSize: 400 })
    const good = await site.open()
    const slow = await site.open()
    await opening(good)
    const { meta } = await opening(slow)
    expect(meta).toMatchObject({ last_seq: null })
    slow.stall()
    const taken: number[] = []
    await until('the slow reader is cut', async () => {
      // Long ones: the system takes megabytes for a reader that does not read.
      await feed.append(200, 2_000)
      // Read before more is written, so that only the stalled reader falls behind.
      taken.push(...(await take(good, 200)))
      return site.services.tailer.status().disconnected === 1
    })
    const appended = taken.length
    expect(taken).toEqual(span(1, appended))
    expect(site.services.tailer.status().readers).toBe(1)
    const [last = 0] = seqs(slow.received()).slice(-1)
    const resumed = await site.open(`since_seq=${last}`)
    await opening(resumed)
    await feed.append(1)
    expect(await take(good, 1)).toEqual([appended + 1])
    await until('the resumed one has all', () => seqs(resumed.received()).at(-1) === appended + 1)
  })

  test('a closed stream is released at once', async () => {
    const site = await start()
    const readers = await Promise.all(span(1, 20).map(() => site.open()))
    await Promise.all(readers.map(opening))
    expect(site.services.tailer.status().readers).toBe(20)
    for (const reader of readers) reader.close()
    await until('all are forgotten', () => site.services.tailer.status().readers === 0)
  })

  test('a stream closed while it opens is released too', async () => {
    const site = await start()
    await opening(await site.open())
    const { hostname, port, pathname } = new URL(site.url)
    for (let i = 0; i < 300; i++) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)
      setTimeout(() => socket.destroy(), i % 12)
    }
    await until('only the first is left', () => site.services.tailer.status().readers === 1)
    await sleep(100)
    expect(site.services.tailer.status().readers).toBe(1)
  })

  test('too many streams are refused', async () => {
    const site = await start({ config: { streams: { maxOfClient: 100, maxReaders: 2 } } })
    const readers = [await site.open(), await site.open()]
    const refused = await fetch(site.url)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toEqual({ message: 'Too many streams are open' })
    readers[0]?.close()
    await until('a place is free', async () => {
      const again = await site.open()
      return again.status === 200
    })
  })

  test('streams end with the services, after pending deltas', async () => {
    const site = await start()
    const reader = await site.open()
    await opening(reader)
    site.services.tailer.close()
    expect(await reader.next()).toBeUndefined()
    expect((await fetch(site.url)).status).toBe(503)
  })

  test('deltas are shared, and so written once, by all readers', async () => {
    const site = await start()
    const { tailer } = site.services
    const readers = await Promise.all(span(1, 3).map(() => site.open()))
    await Promise.all(readers.map(opening))
    await feed.append(3)
    for (const reader of readers) expect(await take(reader, 3)).toEqual([1, 2, 3])
    expect(tailer.after(0)?.[0]).toBe(tailer.after(0)?.[0])
  })
})

async function rawStart(url: string): Promise<string> {
  const leave = new AbortController()
  const response = await fetch(url, { signal: leave.signal })
  const { value } = (await response.body?.getReader().read()) ?? {}
  leave.abort()
  return new TextDecoder().decode(value)
}
