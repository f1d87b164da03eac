import { expect, test } from 'vitest'
import { previewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import type { ConnectorEntry, StudioDocument } from '#lib/studio/document/types.ts'
import { placeRef, sliceOf } from '#lib/studio/runs/slice.ts'

function connector(name: string, more: Partial<ConnectorEntry> = {}): ConnectorEntry {
  return {
    kind: 'connector',
    id: `id ${name}`,
    name,
    dimensions: [{ id: 'd', calls: [], composite: '', bindings: [] }],
    condition: null,
    staticRi: [],
    ...more,
  }
}
function code(kind: 'transformation' | 'condition', name: string) {
  return {
    kind,
    id: `id ${kind} ${name}`,
    name,
    source: 'return x;',
  }
}

const SONG = connector('Song', {
  dimensions: [
    { id: 'd0', calls: [{ id: 'c0', name: 'add', args: ['1'] }], composite: '', bindings: [] },
    { id: 'd1', calls: [], composite: 'Part', bindings: [{ slot: 0, name: 'Filler' }] },
    { id: 'd2', calls: [], composite: 'Published', bindings: [] },
  ],
})
const PART = connector('Part', { condition: { name: 'rule', args: ['-1'] } })

const DOCUMENT: StudioDocument = {
  entries: [
    code('transformation', 'add'),
    code('transformation', 'unused'),
    code('condition', 'add'),
    code('condition', 'rule'),
    SONG,
    PART,
    connector('Filler', { dimensions: [{ id: 'x', calls: [], composite: 'Song', bindings: [] }] }),
    connector('Unused'),
  ],
  places: [],
}

test('a slice holds the connector and what it needs of the document, each once, also in a circle', () => {
  const slice = sliceOf(DOCUMENT, SONG)!
  expect(slice.connectors.map(({ name }) => name)).toEqual(['Song', 'Part', 'Filler'])
  expect(slice.bodies.map(({ kind, name }) => `${kind}/${name}`)).toEqual([
    'transformation/add',
    'condition/rule',
  ])
  expect(previewRequest.safeParse({ ...slice, particles_count: 4 }).error).toBeUndefined()
  // References mean the first entry of a name.
  const twin = { ...PART, id: 'twin', dimensions: [] }
  expect(sliceOf({ ...DOCUMENT, entries: [...DOCUMENT.entries, twin] }, SONG)).toEqual(slice)
})

test('there is no slice while a number below the connector is unfinished', () => {
  const unfinished = connector('Part', { condition: { name: 'rule', args: ['-'] } })
  const entries = DOCUMENT.entries.map((entry) => (entry === PART ? unfinished : entry))
  expect(sliceOf({ ...DOCUMENT, entries }, SONG)).toBeUndefined()
  expect(sliceOf({ ...DOCUMENT, entries }, connector('Alone'))).toBeDefined()
})

test('a place is marked at its node, inside published things at the dimension that leads there', () => {
  const at = { position: 1, connector: 'Song', dimension: 0 }
  const ref = (place: Parameters<typeof placeRef>[2]) => placeRef(DOCUMENT, SONG, place)
  expect(ref({ kind: 'start' })).toEqual({ kind: 'entry', entryId: 'id Song' })
  const step = { kind: 'step' as const, call: 0, transformation: 'add', args: [1], step: 2, x: 3 }
  expect(ref({ ...step, ...at, path: '/Song:0' })).toEqual({
    kind: 'call',
    entryId: 'id Song',
    dimensionId: 'd0',
    callId: 'c0',
  })
  expect(ref({ kind: 'running-instance', ...at, path: '/Song:0' })).toMatchObject({ kind: 'dimension' })
  expect(ref({ kind: 'condition', path: '/Song:1', connector: 'Part', condition: 'rule' })).toEqual({
    kind: 'condition',
    entryId: 'id Part',
  })
  const inside = { ...at, connector: 'Deep', path: '/Song:2/Published:0/Deep:0' }
  expect(ref({ ...step, ...inside })).toEqual({
    kind: 'dimension',
    entryId: 'id Song',
    dimensionId: 'd2',
  })
  expect(ref({ kind: 'condition', path: '', connector: 'Other', condition: 'rule' })).toMatchObject({
    kind: 'entry',
  })
})
