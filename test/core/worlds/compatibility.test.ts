import { describe, expect, test } from 'vitest'
import { byFit, worldCompatibility } from '#lib/protocol/world-compatibility.ts'
import { boundSet, MAX_SLOTS, othersOf, primaryOf, readSlots, writeSlots } from '#lib/protocol/world-slots.ts'
import { runPayload, withSlots } from '#lib/ui/world/run-payload.ts'

const MELODY = `0x${'ab'.repeat(32)}`
const OTHER = `0x${'cd'.repeat(32)}`

const pitch = { name: 'pitch', formatHash: OTHER, scalars: ['pitch:0'] }
const weave = { name: 'weave', formatHash: OTHER, scalars: ['pitch:0', 'time:0', 'velocity:0'] }
const strange = { name: 'strange', formatHash: OTHER, scalars: ['toString:0', '__proto__:1'] }

function world(sets: (readonly [string[], string[]?])[], formats: string[] = []) {
  return {
    acceptedFormatHashes: formats,
    acceptedConnectorSets: sets.map(([connectors, optionalConnectors = []]) => ({
      connectors,
      optionalConnectors,
    })),
  }
}

describe('how well a connector suits a World', () => {
  test('a World that names nothing takes any', () => {
    expect(worldCompatibility(world([]), strange)).toMatchObject({ fit: 'match', by: 'anything' })
  })

  test.each([`${'AB'.repeat(32)}`, `0X${'aB'.repeat(32)}`, MELODY])('a format fits spelled %s', (hash) => {
    const melody = { ...weave, formatHash: MELODY }
    expect(worldCompatibility(world([], [hash]), melody)).toMatchObject({ fit: 'match', by: 'format' })
    expect(worldCompatibility(world([], [hash]), weave).fit).toBe('none')
  })

  test('a format that fits outweighs a set that does not', () => {
    const melody = { ...weave, formatHash: MELODY }
    expect(worldCompatibility(world([[['organ']]], [MELODY]), melody).by).toBe('format')
  })

  test('the connector a World names, and one that carries it, both match', () => {
    expect(worldCompatibility(world([[['pitch']]]), pitch)).toEqual({
      fit: 'match',
      by: 'connectors',
      reason: 'This World is made for pitch.',
      missing: [],
    })
    expect(worldCompatibility(world([[['pitch', 'time']]]), weave)).toMatchObject({
      fit: 'match',
      reason: 'weave carries what this World is made for: pitch and time.',
    })
  })

  test('some of a set is partial, and the nearest set counts', () => {
    const needs = world([[['pitch', 'a', 'b', 'c', 'd', 'e']], [['pitch', 'time']]])
    expect(worldCompatibility(needs, pitch)).toMatchObject({
      fit: 'partial',
      by: 'connectors',
      missing: ['time'],
      reason: 'This World also wants time, which pitch does not carry.',
    })
    expect(worldCompatibility(needs, weave).fit).toBe('match')
  })

  test('optional connectors are not missed', () => {
    expect(worldCompatibility(world([[['pitch'], ['organ']]]), pitch).fit).toBe('match')
  })

  test('none of a set is none, with a few of the names', () => {
    const needs = world([[['a', 'b', 'c', 'd', 'e', 'f']]])
    expect(worldCompatibility(needs, pitch)).toMatchObject({
      fit: 'none',
      reason: 'This World is made for a, b, c, d and 2 more; pitch carries none of it.',
    })
  })

  test('scalars in common with an accepted format are partial, where the format is known', () => {
    const needs = world([], [MELODY])
    const scalars = (...labels: string[]) => new Map([[MELODY, labels]])
    expect(worldCompatibility(needs, weave).fit).toBe('none')
    expect(worldCompatibility(needs, weave, scalars('pitch:0', 'time:0'))).toMatchObject({
      fit: 'partial',
      by: 'scalars',
      missing: [],
    })
    expect(worldCompatibility(needs, weave, scalars('pitch:0', 'organ:3'))).toMatchObject({
      fit: 'partial',
      missing: ['organ:3'],
      reason: 'Of the values this World draws, weave lacks organ:3.',
    })
    expect(worldCompatibility(needs, weave, scalars('organ:3')).fit).toBe('none')
  })

  test('names of object members are ordinary names', () => {
    expect(worldCompatibility(world([[['constructor']]]), strange).fit).toBe('none')
    expect(worldCompatibility(world([[['toString', '__proto__']]]), strange).fit).toBe('match')
  })
})

test('the better fit comes first, and the sort is stable', () => {
  const fits = ['none', 'partial', 'match', 'partial', 'match'] as const
  const items = fits.map((fit, at) => ({
    at,
    compatibility: { fit, by: 'format', reason: '', missing: [] } as const,
  }))
  expect(byFit(items).map(({ at }) => at)).toEqual([2, 4, 1, 3, 0])
})

describe('the slots of a World that wants several connectors', () => {
  const fed = (needs: ReturnType<typeof world>, connector: typeof pitch, choices = {}) => {
    const chosen = Object.entries<string>(choices).map(([slot, name]) => ({ slot, connector: name }))
    return boundSet(needs, primaryOf(connector, needs), chosen)
  }
  const said = (...given: Parameters<typeof fed>) =>
    fed(...given)?.slots.map(
      ({ slot, connector, itself }) => `${slot}=${connector}${itself ? ' itself' : ''}`,
    )
  const needs = world([
    [['organ', 'bell']],
    [
      ['pitch', 'time'],
      ['velocity', 'duration'],
    ],
  ])

  test('are fed by the connector where it carries them, else by the connectors they are named after', () => {
    expect(said(needs, pitch)).toEqual([
      'pitch=pitch itself',
      'time=time',
      'velocity=undefined',
      'duration=undefined',
    ])
    expect(said(needs, weave)?.slice(0, 3)).toEqual([
      'pitch=weave itself',
      'time=weave itself',
      'velocity=weave itself',
    ])
    // What carries nothing of any set takes the first slot of the first one.
    expect(said(needs, strange)).toEqual(['organ=strange itself', 'bell=bell'])
  })

  test('are fed by what is chosen, one by one', () => {
    const bound = fed(needs, weave, { time: 'clock', duration: 'clock' })
    expect(bound?.index).toBe(1)
    expect(bound?.slots.filter(({ chosen }) => chosen).map(({ slot }) => slot)).toEqual(['time', 'duration'])
    expect(othersOf(bound)).toEqual(['clock'])
  })

  test('are no more than a page can run, and none of a World with one connector', () => {
    const many = Array.from({ length: 300 }, (_, i) => `slot_${i}`)
    expect(said(world([[many]]), pitch)).toHaveLength(MAX_SLOTS)
    expect(fed(world([[['pitch']]]), pitch)).toBeUndefined()
    expect(fed(world([[['pitch', 'not a name']]]), pitch)).toBeUndefined()
    expect(fed(world([]), pitch)).toBeUndefined()
  })

  test('bring their streams to the World, and take the place of what they replace', () => {
    const run = (path: string, ...data: number[]) => ({ path, data })
    const own = [run('/weave:0/pitch:0', 1), run('/weave:1/time:0', 2)]
    const bound = fed(needs, weave, { time: 'clock' })!
    const clock = [run('/clock:0', 9)]
    const payload = withSlots(
      runPayload({
        connector: 'weave',
        count: 1,
        streams: own,
        dynamicRi: [],
        formatHash: undefined,
        address: undefined,
      }),
      bound,
      new Map([['clock', clock]]),
    )
    expect(payload.executeOutput).toEqual([own[0], ...clock])
    expect(payload).toMatchObject({
      connectorNames: ['weave', 'clock'],
      connectorSet: { index: 1, connectors: ['pitch', 'time'], optionalConnectors: ['velocity', 'duration'] },
      connectorBindings: [
        { slot: 'pitch', connectorName: 'weave', executeOutput: [own[0]] },
        { slot: 'time', connectorName: 'clock', executeOutput: clock },
        { slot: 'velocity', connectorName: 'weave' },
      ],
    })
  })

  test('are part of a URL, which may contain anything', () => {
    const choices = [
      { slot: 'time', connector: 'clock' },
      { slot: '__proto__', connector: 'toString' },
    ]
    expect(readSlots(writeSlots(choices))).toEqual(choices)
    for (const text of ['time', 'time:', ':x', 'a:b:c', 'a:b,a:c', 'a:b c', `a:${'x,'.repeat(1e5)}`]) {
      expect(readSlots(text), text.slice(0, 20)).toBeUndefined()
    }
  })
})
