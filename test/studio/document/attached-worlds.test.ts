import { describe, expect, test } from 'vitest'
import {
  attachWorld,
  detachWorld,
  forgetWorldPlaces,
  MAX_ATTACHED,
  placeWorld,
  worldsOf,
} from '../../../lib/ui/studio/document/attached-worlds.ts'
import { readFile, writeFile } from '../../../lib/ui/studio/document/file.ts'
import { EMPTY_VIEW, type StudioView } from '../../../lib/ui/studio/document/types.ts'
import { withoutTab, withTab } from '../../../lib/ui/studio/document/view.ts'

const entry = {
  kind: 'connector',
  id: 'a',
  name: 'a',
  dimensions: [],
  condition: null,
  staticRi: [],
} as const
const document = { entries: [entry], places: [] }
const newId = () => 'new'

const reread = (view: StudioView): StudioView => {
  const read = readFile(writeFile({ document, view }), newId)
  if (!read.ok) throw new Error(read.problems.join())
  return read.view
}

describe('Worlds attached to connectors', () => {
  test('come once each, up to the most, in order, and go', () => {
    let view = attachWorld(EMPTY_VIEW, 'entry/a', 'one')
    expect(attachWorld(view, 'entry/a', 'one')).toBe(view)
    view = attachWorld(view, 'published/connector/__proto__', 'one')
    for (let count = 0; count < 9; count += 1) view = attachWorld(view, 'entry/a', `w${count}`)
    expect(worldsOf(view, 'entry/a').map(({ world }) => world)).toEqual(['one', 'w0', 'w1', 'w2'])
    expect(worldsOf(view, 'published/connector/__proto__')).toHaveLength(1)
    view = detachWorld(view, 'entry/a', 'w0')
    expect(worldsOf(view, 'entry/a').map(({ world }) => world)).toEqual(['one', 'w1', 'w2'])
    expect(detachWorld(view, 'entry/a', 'w0')).toBe(view)
    expect(worldsOf(view, 'entry/b')).toEqual([])
  })

  test('stay where they were put until everything is laid out, whatever tabs do', () => {
    const attached = attachWorld(EMPTY_VIEW, 'entry/a', 'one')
    let view = placeWorld(attached, 'entry/a', 'one', { x: 3, y: -4 })
    view = withoutTab(withTab(view, { kind: 'entry', entryId: 'a' }), 'entry/a')
    expect(worldsOf(reread(view), 'entry/a')).toEqual([
      { of: 'entry/a', world: 'one', place: { x: 3, y: -4 } },
    ])
    expect(worldsOf(forgetWorldPlaces(view, 'entry/a'), 'entry/a')).toEqual([{ of: 'entry/a', world: 'one' }])
    expect(forgetWorldPlaces(attached, 'entry/a')).toBe(attached)
  })

  test('of a file are those of its connectors, once each, no more than there may be', () => {
    const worlds = ['x', 'x', 'y', 'z', 'u', 'v'].map((world) => ({ of: 'entry/a', world }))
    const view = reread({ ...EMPTY_VIEW, worlds: [...worlds, { of: 'entry/gone', world: 'x' }] })
    expect(view.worlds?.map(({ world }) => world)).toEqual(['x', 'y', 'z', 'u'].slice(0, MAX_ATTACHED))
    expect('worlds' in reread(EMPTY_VIEW)).toBe(false)
    const text = JSON.stringify({
      weft: 'studio',
      version: 1,
      document,
      view: { ...view, worlds: [{ of: 1 }] },
    })
    expect(readFile(text, newId).ok).toBe(false)
  })
})
