import { expect, test } from 'vitest'
import type { Entry, StudioDocument } from '../../lib/ui/studio/document/types.ts'
import {
  changeText,
  documentChanges,
  entryLines,
  lineChanges,
} from '../../lib/ui/studio/workspaces/changes.ts'

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
    'dimension 0: add(1, 2) feeds duet, slot 1 filled by pitch',
    'dimension 1: ',
    'condition: gate(-3)',
    'position 1: starts at 12, shifted by 0',
  ])
  const lines = lineChanges(['a', 'b', 'b', '', 'c'], ['c', 'b', 'd'])
  expect(lines.map(({ sign, text }) => `${sign}${text}`)).toEqual(['−a', '−b', '+d'])
})
