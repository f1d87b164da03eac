import { describe, expect, it } from 'vitest'
import { copy, paste, readClip, writeClip } from '#lib/studio/document/clip.ts'
import { addDimension, moveDimension, removeDimension } from '#lib/studio/document/commands/connector.ts'
import { partsOf } from '#lib/studio/document/parts.ts'
import { spansIn } from '#lib/studio/document/positions-of.ts'
import { shapesOf } from '#lib/studio/document/shapes.ts'
import { type ConnectorEntry, newId, type StudioDocument } from '#lib/studio/document/types.ts'
import { connectorEntry, dimension, documentOf } from './entries.ts'

const entryId = 'tune'
function start(position: number, startPoint: string) {
  return { position, startPoint, transformationShift: '0' }
}
const tune = connectorEntry(entryId, 'tune', [dimension('a'), dimension('b'), dimension('c')], {
  staticRi: [start(0, '5'), start(1, '60'), start(2, '64'), start(3, '67')],
  sound: {
    bpm: 90,
    paths: [
      { path: '0', instrument: 'keys' },
      { path: '2', instrument: 'bass' },
    ],
  },
  knobs: [{ name: 'high', target: { kind: 'start', position: 3 }, min: 0, max: 99 }],
})
const document = documentOf(tune)

/** Starts by position, sounds and knobs. */
function read(changed: StudioDocument): readonly unknown[] {
  const { staticRi, sound, knobs } = changed.entries[0] as ConnectorEntry
  return [
    staticRi.map(({ position, startPoint }) => `${position}: ${startPoint}`).join(', '),
    sound?.paths?.map(({ path, instrument }) => `${path}: ${instrument}`).join(', '),
    knobs?.map(({ target }) => (target.kind === 'start' ? target.position : undefined)),
  ]
}

describe('voices take their starts, sounds and knobs along', () => {
  it('when one is added before them', () => {
    expect(read(addDimension(document, { entryId, id: 'd', at: 1 }))).toEqual([
      '0: 5, 1: 60, 3: 64, 4: 67',
      '0: keys, 3: bass',
      [4],
    ])
    expect(read(addDimension(document, { entryId, id: 'd' }))).toEqual(read(document))
  })

  it('when a copy is put between them', () => {
    const at = { kind: 'dimension', entryId, dimensionId: 'a' } as const
    const pasted = paste(document, { of: 'dimensions', dimensions: [dimension('b')] }, { at, newId })
    expect(read(pasted.document)).toEqual(['0: 5, 1: 60, 3: 64, 4: 67', '0: keys, 3: bass', [4]])
  })

  it('when one is removed', () => {
    expect(read(removeDimension(document, { entryId, dimensionId: 'b' }))).toEqual([
      '0: 5, 1: 60, 2: 67',
      '0: keys, 1: bass',
      [2],
    ])
    expect(read(removeDimension(document, { entryId, dimensionId: 'c' }))).toEqual([
      '0: 5, 1: 60, 2: 64',
      '0: keys',
      undefined,
    ])
  })

  it('when they are moved', () => {
    expect(read(moveDimension(document, { entryId, dimensionId: 'c', to: 0 }))).toEqual([
      '0: 5, 1: 67, 2: 60, 3: 64',
      '1: keys, 0: bass',
      [1],
    ])
  })

  it('but for starts where another connector has positions of its own', () => {
    const led = documentOf({ ...tune, dimensions: [dimension('a', { composite: 'duet' }), dimension('b')] })
    expect(read(removeDimension(led, { entryId, dimensionId: 'a' }))[0]).toBe('0: 5, 1: 60, 2: 64, 3: 67')
  })
})

describe('a voice that plays another connector', () => {
  /** Voice 0 selects from a connector of two dimensions, so its positions are 1 to 3. */
  const scale = connectorEntry('scale', 'scale', [dimension('s0'), dimension('s1')])
  const lead = connectorEntry(
    entryId,
    'tune',
    [dimension('a', { composite: 'scale' }), dimension('b'), dimension('c')],
    {
      staticRi: [start(0, '5'), start(1, '60'), start(3, '7'), start(4, '64'), start(5, '67')],
      sound: {
        paths: [
          { path: '0/1', instrument: 'pluck' },
          { path: '1', instrument: 'bass' },
        ],
      },
      knobs: [{ name: 'high', target: { kind: 'start', position: 3 }, min: 0, max: 99 }],
    },
  )
  const nested = documentOf(lead, scale)
  const nothing = { find: () => 'absent' as const }
  const spanOf = spansIn(shapesOf(partsOf(nested, nothing)))

  it('takes the starts below it along, as its neighbours take theirs', () => {
    expect(read(moveDimension(nested, { entryId, dimensionId: 'a', to: 1, spanOf }))).toEqual([
      '0: 5, 1: 64, 2: 60, 4: 7, 5: 67',
      '1/1: pluck, 0: bass',
      [4],
    ])
    expect(read(removeDimension(nested, { entryId, dimensionId: 'a', spanOf }))).toEqual([
      '0: 5, 1: 64, 2: 67',
      '0: bass',
      undefined,
    ])
    expect(read(addDimension(nested, { entryId, id: 'd', at: 0, spanOf }))[0]).toBe(
      '0: 5, 2: 60, 4: 7, 5: 64, 6: 67',
    )
  })

  it.each(['a', 'b'])('a copy of %s has its starts and sounds', (dimensionId) => {
    const at = { kind: 'dimension', entryId, dimensionId } as const
    const clip = copy(nested, [at], spanOf)
    const result = readClip(writeClip(clip!))
    if (!result.ok) throw new Error(result.sentence)
    const { document: pasted } = paste(nested, result.clip, { at, newId, spanOf })
    expect(read(pasted).slice(0, 2)).toEqual(
      dimensionId === 'a'
        ? ['0: 5, 1: 60, 3: 7, 4: 60, 6: 7, 7: 64, 8: 67', '0/1: pluck, 2: bass, 1/1: pluck']
        : ['0: 5, 1: 60, 3: 7, 4: 64, 5: 64, 6: 67', '0/1: pluck, 1: bass, 2: bass'],
    )
  })
})
