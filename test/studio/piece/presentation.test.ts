import { describe, expect, test } from 'vitest'
import { soundOf } from '#lib/engine/sound/presented-sound.ts'
import { presentationProblem } from '#lib/protocol/presentation.ts'
import { definitionOf, entryOf } from '#lib/studio/document/definition.ts'
import type { ConnectorEntry } from '#lib/studio/document/types.ts'
import { isPiece, presentationOf, titleOf, withKnobsOutside } from '#lib/studio/piece/presentation-of.ts'
import { presentedKnobs, withPresentation } from '#lib/studio/piece/presented.ts'
import { connectorEntry, dimension, documentOf } from '../document/entries.ts'

/* Presentation in the studio, as the words of a publication, and back. */

const HASH = 'ab'.repeat(32)

function song(more: Partial<ConnectorEntry> = {}): ConnectorEntry {
  const calls = [
    { id: 'x1', name: 'add', args: ['1'] },
    { id: 'x2', name: 'cycle', args: ['2', '16'] },
  ]
  return connectorEntry('s', 'song', [dimension('d', { calls }), dimension('e', { composite: 'verse' })], {
    condition: { name: 'always', args: ['-3'] },
    sound: {
      bpm: 104,
      stepsPerBeat: 3,
      loop: false,
      root: 2,
      scale: 'dorian',
      paths: [{ path: '1/0', instrument: 'bell', octave: 5, muted: true }, { path: '0' }],
    },
    steps: 48,
    knobs: [
      { name: 'width', target: { kind: 'call', callId: 'x2', index: 1 }, min: 1, max: 32 },
      { name: 'limit', target: { kind: 'condition', index: 0 }, min: -9, max: 9 },
      { name: 'start', target: { kind: 'start', position: 1 }, min: 0, max: 8 },
    ],
    ...more,
  })
}

function verse(): ConnectorEntry {
  const calls = [{ id: 'v1', name: 'add', args: ['7'] }]
  return connectorEntry('v', 'verse', [dimension('f', { calls })], {
    knobs: [{ name: 'leap', target: { kind: 'call', callId: 'v1', index: 0 }, min: 1, max: 7 }],
  })
}

describe('the presentation of a connector', () => {
  test('has its length, tempo, key, paths and knobs, those of its parts by their names', () => {
    const root = song()
    const present = presentationOf(documentOf(root, verse()), root, { bundle_hash: HASH, slug: 'harp' })
    expect(present).toEqual({
      particles: 48,
      tempo: 312,
      loop: false,
      world: { bundle_hash: HASH, slug: 'harp' },
      knobs: [
        { name: 'width', at: 'call/0/1/1', min: 1, max: 32 },
        { name: 'limit', at: 'condition/0', min: -9, max: 9 },
        { name: 'start', at: 'start/1', min: 0, max: 8 },
        { name: 'leap', at: 'verse:call/0/0/0', min: 1, max: 7 },
      ],
      sound: {
        root: 2,
        scale: 'dorian',
        steps_per_beat: 3,
        paths: [{ path: '1/0', instrument: 'bell', octave: 5, muted: true }],
      },
    })
    expect(presentationProblem(present)).toBeUndefined()
  })

  test('begins a remix that is presented the same, with numbers named anew', () => {
    const root = song()
    const present = presentationOf(documentOf(root), root, undefined)
    let next = 0
    const begun = withPresentation(
      entryOf(definitionOf(root)!, () => `new-${next++}`),
      present,
    )
    expect(presentationOf(documentOf(begun), begun, undefined)).toEqual(present)
  })

  test('keeps earlier knobs of connectors that are not in the document, and no others', () => {
    const root = song()
    const before = presentationOf(documentOf(root, verse()), root, undefined)
    const leap = { name: 'leap', at: 'verse:call/0/0/0', min: 1, max: 7 }
    const bare = song({ knobs: [] })
    const alone = documentOf(bare)
    const present = presentationOf(alone, bare, undefined)
    expect(withKnobsOutside(alone, bare, present, before).knobs).toEqual([leap])
    expect(withKnobsOutside(alone, bare, present, undefined)).toBe(present)
    const whole = documentOf(bare, { ...verse(), knobs: [] })
    expect(withKnobsOutside(whole, bare, present, before)).toBe(present)
  })

  test('of a connector that nobody shaped says its defaults, and makes it no piece', () => {
    const root = connectorEntry('p', 'part', [dimension('d')])
    const document = documentOf(root)
    expect(presentationOf(document, root, undefined)).toEqual({ particles: 64, tempo: 368, loop: true })
    expect([isPiece(document, root, false), isPiece(document, root, true)]).toEqual([false, true])
    expect(isPiece(documentOf(song()), song(), false)).toBe(true)
  })

  test('leaves out knobs that nobody can turn, and all beyond the eighth', () => {
    const knobs = Array.from({ length: 12 }, (_, position) => ({
      name: position === 0 ? ' ' : `start ${position}`,
      target: { kind: 'start', position } as const,
      min: 0,
      max: 8,
    }))
    const gone = { name: 'gone', target: { kind: 'call', callId: 'none', index: 0 } as const, min: 0, max: 1 }
    const root = song({ knobs: [gone, ...knobs] })
    const names = presentationOf(documentOf(root), root, undefined).knobs?.map(({ name }) => name)
    expect(names).toEqual([
      'start 1',
      'start 2',
      'start 3',
      'start 4',
      'start 5',
      'start 6',
      'start 7',
      'start 8',
    ])
  })
})

describe('a presentation that a stranger wrote', () => {
  test('is heard with what this site knows of it, at a tempo that it can play', () => {
    const paths = [{ path: '0', instrument: 'theremin', scale: 'dorian', octave: 3 }]
    expect(soundOf({ tempo: 2400, loop: true, sound: { scale: 'odd', paths } })).toEqual({
      bpm: 300,
      loop: true,
      paths: [expect.objectContaining({ path: '0', instrument: undefined, scale: 'dorian', octave: 3 })],
    })
  })

  test('turns the numbers that are there and no others', () => {
    const root = song()
    const entries = new Map([root, verse()].map((entry) => [entry.name, entry]))
    const at = (place: string) => ({ name: place, at: place, min: 0, max: 5 })
    const places = [
      ...[
        'call/0/1/1',
        'call/0/1/2',
        'call/0/9/0',
        'call/7/0/0',
        'condition/0',
        'condition/1',
        'start/4294967295',
      ],
      ...['verse:call/0/0/0', 'verse:condition/0', 'nobody:call/0/0/0', 'nonsense'],
    ]
    expect(presentedKnobs(places.map(at), 'song', entries).map(({ knob }) => knob.name)).toEqual([
      'call/0/1/1',
      'condition/0',
      'start/4294967295',
      'verse:call/0/0/0',
    ])
  })
})

test('a title is made of a name', () => {
  expect(['first_light_2', '_x', 'weave', 'a__b'].map(titleOf)).toEqual([
    'First light 2',
    'X',
    'Weave',
    'A b',
  ])
})
