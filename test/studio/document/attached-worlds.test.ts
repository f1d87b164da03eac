import { describe, expect, test } from 'vitest'
import {
  attachWorld,
  detachWorld,
  feedSlot,
  forgetWorldPlaces,
  MAX_ATTACHED,
  placeWorld,
  worldsOf,
} from '#lib/studio/document/attached-worlds.ts'
import { removeEntry } from '#lib/studio/document/commands/entries.ts'
import { readFile, writeFile } from '#lib/studio/document/file.ts'
import { merge } from '#lib/studio/document/merge.ts'
import { EMPTY_VIEW, type StudioDocument } from '#lib/studio/document/types.ts'
import { connectorEntry, documentOf } from './entries.ts'

const empty = documentOf(connectorEntry('a', 'a'))
function newId() {
  return 'new'
}

function reread(document: StudioDocument, view: object = EMPTY_VIEW): StudioDocument {
  const text = JSON.stringify({ ...JSON.parse(writeFile({ document, view: EMPTY_VIEW })), view })
  const read = readFile(text, newId)
  if (!read.ok) throw new Error(read.problems.join())
  expect('worlds' in read.view).toBe(false)
  return read.document
}

describe('Worlds attached to connectors', () => {
  test('come once each, up to the most, in order, and go', () => {
    let document = attachWorld(empty, 'entry/a', 'one')
    expect(attachWorld(document, 'entry/a', 'one')).toBe(document)
    document = attachWorld(document, 'published/connector/__proto__', 'one')
    for (let count = 0; count < 9; count += 1) document = attachWorld(document, 'entry/a', `w${count}`)
    expect(worldsOf(document, 'entry/a').map(({ world }) => world)).toEqual(['one', 'w0', 'w1', 'w2'])
    expect(worldsOf(document, 'published/connector/__proto__')).toHaveLength(1)
    document = detachWorld(document, 'entry/a', 'w0')
    expect(worldsOf(document, 'entry/a').map(({ world }) => world)).toEqual(['one', 'w1', 'w2'])
    expect(detachWorld(document, 'entry/a', 'w0')).toBe(document)
    expect(worldsOf(document, 'entry/b')).toEqual([])
    expect(removeEntry(document, { entryId: 'a' }).worlds?.map(({ of }) => of)).toEqual([
      'published/connector/__proto__',
    ])
  })

  test('come with the connectors that feed their slots', () => {
    const slots = [{ slot: 'time', connector: 'clock' }]
    const document = attachWorld(empty, 'entry/a', 'one', slots)
    expect(worldsOf(document, 'entry/a')).toEqual([{ of: 'entry/a', world: 'one', slots }])
    expect(document).toEqual(feedSlot(attachWorld(empty, 'entry/a', 'one'), 'entry/a', 'one', slots[0]!))
    expect(reread(document).worlds).toEqual(document.worlds)
  })

  test('stay where they were put, fed as was chosen, until everything is laid out', () => {
    const attached = attachWorld(empty, 'entry/a', 'one')
    let document = placeWorld(attached, 'entry/a', 'one', { x: 3, y: -4 })
    const slots = [{ slot: 'time', connector: 'clock' }]
    document = feedSlot(document, 'entry/a', 'one', slots[0]!)
    expect(reread(document).worlds).toEqual([{ of: 'entry/a', world: 'one', place: { x: 3, y: -4 }, slots }])
    expect(worldsOf(forgetWorldPlaces(document, 'entry/a'), 'entry/a')).toEqual([
      { of: 'entry/a', world: 'one', slots },
    ])
    expect(forgetWorldPlaces(attached, 'entry/a')).toBe(attached)
    const own = feedSlot(attached, 'entry/a', 'one', { slot: 'time', connector: '' })
    expect(own).toEqual(attached)
  })

  test('of a file are those of its connectors, once each, no more than there may be', () => {
    const worlds = ['x', 'x', 'y', 'z', 'u', 'v'].map((world) => ({ of: 'entry/a', world }))
    const document = reread({ ...empty, worlds: [...worlds, { of: 'entry/gone', world: 'x' }] })
    expect(document.worlds?.map(({ world }) => world)).toEqual(['x', 'y', 'z', 'u'].slice(0, MAX_ATTACHED))
    // The storage location of earlier versions.
    expect(reread(empty, { ...EMPTY_VIEW, worlds }).worlds).toEqual(document.worlds)
    expect('worlds' in reread(empty)).toBe(false)
    expect(() => reread({ ...empty, worlds: [{ of: 1 }] as never })).toThrow('document.worlds.0')
  })

  test('of two devices are those that either attached, without those that either took away', () => {
    const base = attachWorld(attachWorld(empty, 'entry/a', 'one'), 'entry/a', 'two')
    const mine = attachWorld(detachWorld(base, 'entry/a', 'one'), 'entry/a', 'three')
    const theirs = attachWorld(placeWorld(base, 'entry/a', 'two', { x: 1, y: 2 }), 'entry/a', 'four')
    expect(merge(base, mine, theirs, newId).worlds).toEqual([
      { of: 'entry/a', world: 'two', place: { x: 1, y: 2 } },
      { of: 'entry/a', world: 'three' },
      { of: 'entry/a', world: 'four' },
    ])
  })
})
