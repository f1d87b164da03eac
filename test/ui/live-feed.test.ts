import { describe, expect, test } from 'vitest'
import { historyCursorOf } from '#lib/core/feed/items.ts'
import { readFeedQuery } from '#lib/views/feed-query.ts'
import {
  acceptsFor,
  applyDelta,
  type Delta,
  type LiveFeed,
  showWaiting,
} from '../../app/(site)/feed/_live/live-state.ts'

const OWNER = '0x00000000000000000000000000000000000000aa'
const everything = acceptsFor(readFeedQuery({}), '')

function delta(streamSeq: number, name: string, status: Delta['status'], block: number): Delta {
  return {
    streamSeq,
    feedId: `31337:connector_added:${name}`,
    status,
    historyCursor: historyCursorOf({ blockNumber: block, txIndex: 0, logIndex: 0 }),
    createdAtMs: 1000 * block,
    kind: 'connector',
    name,
    owner: OWNER,
  }
}

const start: LiveFeed = { items: [], waiting: [], streamSeq: 0 }
function play(deltas: readonly Delta[], from = start, accepts = everything) {
  return deltas.reduce((feed, each) => applyDelta(feed, each, accepts), from)
}
function shown(feed: LiveFeed) {
  return feed.items.map(({ name, status, change }) => [name, status, change])
}
function waiting(feed: LiveFeed) {
  return feed.waiting.map(({ name }) => name)
}

describe('a page of the feed that stays open', () => {
  test('queues new items, newest first, until they are shown', () => {
    const feed = play([delta(1, 'a', 'observed', 5), delta(2, 'b', 'observed', 6)])
    expect(shown(feed)).toEqual([])
    expect(waiting(feed)).toEqual(['b', 'a'])
    const after = showWaiting(feed)
    expect(shown(after)).toEqual([
      ['b', 'observed', 'arrived'],
      ['a', 'observed', 'arrived'],
    ])
    expect(after.items[0]?.blockNumber).toBe(6)
    expect(waiting(after)).toEqual([])
  })

  test('changes the status of what it shows, in its place', () => {
    const feed = play(
      [delta(3, 'a', 'finalized', 5)],
      showWaiting(play([delta(1, 'a', 'observed', 5), delta(2, 'b', 'observed', 6)])),
    )
    expect(feed.items.map(({ name, status }) => `${name} ${status}`)).toEqual(['b observed', 'a finalized'])
  })

  test('keeps the title and the name of the account when a status changes', () => {
    const named = { title: 'First light', ownerName: 'Ada' }
    const before = showWaiting(play([delta(1, 'a', 'observed', 5)]))
    const titled = { ...before, items: before.items.map((item) => ({ ...item, ...named })) }
    expect(play([delta(2, 'a', 'safe', 5)], titled).items[0]).toMatchObject({ ...named, status: 'safe' })
  })

  test('drops them where a reorg gave the name to another account', () => {
    const before = showWaiting(play([delta(1, 'a', 'observed', 5)]))
    const items = before.items.map((item) => ({ ...item, title: 'First light', ownerName: 'Ada' }))
    const owner = '0x00000000000000000000000000000000000000bb'
    const [item] = play([delta(2, 'a', 'removed', 5), { ...delta(3, 'a', 'observed', 6), owner }], {
      ...before,
      items,
    }).items
    expect(item).toMatchObject({ owner, status: 'observed' })
    expect([item?.title, item?.ownerName]).toEqual([undefined, undefined])
  })

  test('withdraws what was removed without moving it, and takes it back when it is mined again', () => {
    const before = showWaiting(play([delta(1, 'a', 'observed', 5), delta(2, 'b', 'observed', 6)]))
    const removed = play([delta(3, 'b', 'removed', 6)], before)
    expect(shown(removed)[0]).toEqual(['b', 'removed', 'removed'])
    expect(removed.items[0]?.blockNumber).toBe(6)
    const back = play([delta(4, 'b', 'observed', 9), delta(5, 'b', 'safe', 9)], removed)
    expect(shown(back)[0]).toEqual(['b', 'safe', 'returned'])
    expect(back.items[0]?.blockNumber).toBe(9)
  })

  test('forgets what was removed before anybody saw it', () => {
    const feed = play([delta(1, 'a', 'observed', 5), delta(2, 'a', 'removed', 5)])
    expect(waiting(feed)).toEqual([])
  })

  test('ignores what it has seen', () => {
    const feed = play([delta(7, 'a', 'observed', 5)])
    expect(play([delta(7, 'a', 'removed', 5), delta(3, 'b', 'observed', 2)], feed)).toBe(feed)
  })

  test.each([
    [{ kind: 'condition' }, []],
    [{ kind: 'connector' }, ['b', 'a']],
    [{ status: 'removed' }, []],
    [{ status: 'observed' }, ['b', 'a']],
    [{ block: '6' }, ['b']],
  ])('of %j takes in only what belongs there', (params, expected) => {
    const accepts = acceptsFor(readFeedQuery(params), '')
    expect(
      waiting(play([delta(1, 'a', 'observed', 5), delta(2, 'b', 'observed', 6)], start, accepts)),
    ).toEqual(expected)
  })
})

test('an older item that changes its status is not new, an older one that is removed is', () => {
  const newest = historyCursorOf({ blockNumber: 9, txIndex: 0, logIndex: 0 })
  const deltas = [delta(1, 'a', 'finalized', 5), delta(2, 'b', 'observed', 10), delta(3, 'c', 'removed', 4)]
  const taken = (params: Record<string, string>) =>
    waiting(play(deltas, start, acceptsFor(readFeedQuery(params), newest)))
  expect(taken({})).toEqual(['b'])
  expect(taken({ status: 'finalized' })).toEqual([])
  expect(taken({ status: 'removed' })).toEqual(['c'])
})

test('an address that means nothing narrows nothing', () => {
  const nothing = { kind: undefined, status: undefined, block: undefined, before: undefined }
  for (const params of [
    {},
    { kind: 'toString', status: 'constructor', block: '-1' },
    { kind: ['nonsense', 'connector'], block: '1e3' },
  ]) {
    expect(readFeedQuery(params)).toEqual(nothing)
  }
})
