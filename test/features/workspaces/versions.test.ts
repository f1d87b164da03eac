import { describe, expect, it, test } from 'vitest'
import { MAX_VERSIONS, versionsToPrune } from '#lib/features/workspaces/quota.ts'
import type { Entry, StudioDocument } from '#lib/studio/document/types.ts'
import { changeText, documentChanges, entryLines, lineChanges } from '#lib/ui/studio/workspaces/changes.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 1)

/** Saves at each of the times, thinning after each, as the server does. */
function kept(times: readonly number[]): number[] {
  let versions: { revision: number; savedAt: Date }[] = []
  times.forEach((time, index) => {
    versions = [{ revision: index + 1, savedAt: new Date(time) }, ...versions]
    const gone = new Set(versionsToPrune(versions, new Date(time)))
    versions = versions.filter(({ revision }) => !gone.has(revision))
  })
  return versions.map(({ savedAt }) => savedAt.getTime())
}

describe('earlier versions', () => {
  it('stay close together near now and far apart long ago', () => {
    // An hour of work each day for sixty days, saved every five seconds.
    const times = Array.from({ length: 60 }, (_, day) =>
      Array.from({ length: 720 }, (_, i) => START + day * 24 * HOUR + i * 5_000),
    ).flat()
    const now = times.at(-1)!
    const left = kept(times)
    expect(left[0]).toBe(now)
    expect(left.length).toBeLessThanOrEqual(MAX_VERSIONS)
    expect(left.slice(0, 10)).toEqual(times.slice(-10).toReversed())
    const between = (from: number, to: number) =>
      left.filter((time) => time <= now - from && time > now - to).length
    expect(between(0, HOUR)).toBeGreaterThan(30)
    // At least one of each of the last days.
    for (let day = 1; day < 13; day++) {
      expect(between(day * 24 * HOUR - HOUR, day * 24 * HOUR + HOUR)).toBeGreaterThanOrEqual(1)
    }
    expect(between(20 * 24 * HOUR, 60 * 24 * HOUR)).toBeGreaterThanOrEqual(5)
  })

  it('are all there while there are few', () => {
    expect(kept(Array.from({ length: 10 }, (_, i) => START + i))).toHaveLength(10)
    expect(versionsToPrune([], new Date())).toEqual([])
  })
})

function code(id: string, name: string, source: string): Entry {
  return {
    kind: 'transformation',
    id,
    name,
    source,
  }
}
function document(...entries: Entry[]): StudioDocument {
  return { entries, places: [] }
}

const weave: Entry = {
  kind: 'connector',
  id: 'w',
  name: 'weave',
  dimensions: [
    {
      id: 'd0',
      calls: [{ id: 'c', name: 'add', args: ['1', '2'] }],
      composite: 'duet',
      bindings: [{ slot: 1, name: 'pitch' }],
    },
    { id: 'd1', calls: [], composite: '', bindings: [] },
  ],
  condition: { name: 'gate', args: ['-3'] },
  staticRi: [{ position: 1, startPoint: '12', transformationShift: '0' }],
}

test('differences from an earlier version are listed by entry', () => {
  const now = document(code('a', 'add', 'return x;'), code('b', '__proto__', 'one'), code('c', 'gone', ''))
  const then = document(code('b', '__proto__', 'two'), code('a', 'plus', 'return x;'), weave)
  expect(documentChanges(now, then).map(changeText)).toEqual([
    '__proto__ changed',
    'add renamed to plus',
    'weave added',
    'gone removed',
  ])
  expect(documentChanges(now, structuredClone(now))).toEqual([])
})

test('and line by line, a connector in words', () => {
  expect(entryLines(weave)).toEqual([
    'voice 1: add(1, 2) plays duet, part 2 played by pitch',
    'voice 2: ',
    'gate: gate(-3)',
    'start 1: from 12, skips 0',
  ])
  const lines = lineChanges(['a', 'b', 'b', '', 'c'], ['c', 'b', 'd'])
  expect(lines.map(({ sign, text }) => `${sign}${text}`)).toEqual(['−a', '−b', '+d'])
})
