import { describe, expect, test } from 'vitest'
import { arrange } from '#lib/engine/sound/arrangement.ts'
import { DRUM_NOTES, noteName, partOf, REST, rowsOf, type Voicing } from '#lib/engine/sound/notes.ts'
import { patternOf } from '#lib/studio/sound/pattern-of.ts'

const KEYS: Voicing = {
  ...{ instrument: 'keys', mapping: 'notes', scale: 'pentatonic', root: 0 },
  ...{ octave: 3, span: 3, hits: 'above_zero', stepsPerBeat: 4, level: 100, place: 0, shape: {} },
}

function notes(data: readonly number[], more: Partial<Voicing>) {
  return [...partOf(data, { ...KEYS, ...more }).notes]
}

describe('notes of values', () => {
  test('are the values themselves, and rests above 127', () => {
    expect(notes([0, 60, 127, 128, 4_294_967_295], {})).toEqual([0, 60, 127, REST, REST])
  })

  test('count through a scale and begin again after its range', () => {
    const major = { mapping: 'steps', scale: 'major' } as const
    const of = (value: number) => notes([value], major)[0]
    expect(notes([0, 1, 7, 20, 21, 4_294_967_295], major)).toEqual([
      48,
      50,
      60,
      83,
      48,
      of(4_294_967_295 % 21),
    ])
    expect(notes([0, 1], { ...major, root: 2, octave: 4 })).toEqual([62, 64])
    // The top octaves have no notes above 127.
    expect(notes([0, 6, 20], { ...major, octave: 8 })).toEqual([108, 119, REST])
  })

  test('spread over the range from the smallest value to the largest', () => {
    const spread = { mapping: 'spread', scale: 'chromatic' } as const
    expect(notes([10, 20, 4_000_000_010], spread)).toEqual([48, 48, 84])
    expect(notes([0, 50, 100], { ...spread, span: 1 })).toEqual([48, 54, 60])
    const [still] = notes([5, 5], { mapping: 'spread' })
    expect(still).toBeGreaterThan(48)
    expect(still).toBeLessThan(84)
  })
})

test('a note has a name with its octave', () => {
  expect([0, 60, 61, 70, 127].map(noteName)).toEqual(['C-1', 'C4', 'C♯4', 'B♭4', 'G9'])
})

describe('notes are shaped', () => {
  test('by accents of bars and beats where nothing says how loud they are', () => {
    const { levels } = partOf(Array<number>(17).fill(60), KEYS)
    expect([0, 1, 4, 15, 16].map((step) => levels[step])).toEqual([112, 86, 100, 86, 112])
  })

  test('by loudness, length and gate; none of them at 0 is a rest', () => {
    const shape = { velocity: [64, 0, 127, 90], length: [2, 1, 0, 400], gate: [1, 1, 1, 0] }
    const part = partOf([60, 62, 64, 65], { ...KEYS, shape })
    expect([...part.notes]).toEqual([60, REST, REST, REST])
    expect([...part.levels]).toEqual([64, 0, 127, 90])
    expect([...part.lengths!]).toEqual([2, 1, 0, 64])
  })

  test('by loudness beyond MIDI from quiet to loud', () => {
    const { levels } = partOf([60, 62, 64], { ...KEYS, shape: { velocity: [1_000, 1_500, 2_000] } })
    expect([...levels]).toEqual([40, 84, 127])
  })
})

test('level and place are those of every note; without a level there is none', () => {
  const loud = (level: number) => partOf([60, 200, 62], { ...KEYS, level, place: -50 })
  expect([...loud(50).levels].map((each, step) => (step === 1 ? 0 : each))).toEqual([56, 0, 43])
  expect(loud(50).pan).toBe(-0.5)
  expect([...loud(0).notes]).toEqual([REST, REST, REST])
  expect(Math.min(...loud(1).levels)).toBe(1)
  const drums = partOf([0, 1, 3], { ...KEYS, instrument: 'hat', level: 20 })
  expect([...drums.levels].slice(1)).toEqual([16, 25])
})

describe('places of notes', () => {
  const places = (pan: readonly number[], more: Partial<Voicing> = {}) => {
    const { pans } = partOf(
      pan.map((_, index) => 60 + index),
      { ...KEYS, ...more, shape: { pan, ...more.shape } },
    )
    return pans && [...pans].map((each) => Math.round(each * 100))
  }

  test('are those of MIDI, or from left to right, moved by the place of the voice', () => {
    expect(places([0, 64, 96, 127])).toEqual([-100, 0, 50, 98])
    expect(places([1_000, 1_500, 2_000])).toEqual([-100, 0, 100])
    expect(places([9_999, 9_999])).toEqual([0, 0])
    expect(places([0, 64, 96], { place: 60 })).toEqual([-40, 60, 100])
    // That of the note, wherever its time puts it.
    expect(places([0, 64, 96], { shape: { time: [2, 0, 1] } })).toEqual([0, 50, -100])
  })

  test('are in the middle by default where a path places its notes', () => {
    const voice = (name: string, of: string) => ({ path: `/${of}/${name}:0`, data: [60, 62, 64, 65] })
    const voices = [voice('pitch', 'b:0'), voice('pitch', 'a:0'), voice('pitch', 'c:0'), voice('pan', 'a:1')]
    const { paths } = arrange(voices, {})
    expect(paths.slice(0, 3).map(({ place }) => place)).toEqual([0, 0, -45])
    expect(paths.map(({ role, shape }) => [role, shape.pan])).toEqual([
      ['pitch', undefined],
      ['pitch', paths[3]?.data],
      ['pitch', undefined],
      ['pan', undefined],
    ])
  })
})

describe('notes begin', () => {
  const part = (time: readonly number[], more: Voicing['shape'] = {}) => {
    const heard = partOf([60, 62, 64, 65, 67, 69, 71, 72], { ...KEYS, shape: { time, ...more } })
    return rowsOf(heard).flatMap(({ notes: row, levels, lengths }) =>
      [...row].flatMap((note, step) =>
        note === REST ? [] : [[step, note, levels[step], lengths?.[step] ?? 1]],
      ),
    )
  }

  test('at their times from the first, with their loudness, until the next', () => {
    // A tresillo; the beat is accented where nothing says how loud they are.
    expect(part([100, 103, 106, 108, 111, 114, 116, 119])).toEqual([
      [0, 60, 112, 3],
      [3, 62, 86, 3],
      [6, 64, 86, 2],
    ])
    const velocity = [10, 20, 30, 40, 50, 60, 70, 80]
    expect(part([0, 3, 6, 8, 11, 14, 16, 19], { velocity })).toEqual([
      [0, 60, 10, 3],
      [3, 62, 20, 3],
      [6, 64, 30, 2],
    ])
    expect(part([0, 3, 6, 8, 11, 14, 16, 19], { velocity, length: [9, 1, 0, 1, 1, 1, 1, 1] })).toEqual([
      [0, 60, 10, 9],
      [3, 62, 20, 1],
    ])
  })

  test('in any order, several at one step as a chord, and none behind the end', () => {
    expect(part([5, 1, 1, 3, 4_294_967_295, 900, 5, 8])).toEqual([
      [0, 62, 112, 2],
      [2, 65, 86, 2],
      [4, 60, 100, 3],
      [7, 72, 86, 64],
      [0, 64, 112, 2],
      [4, 71, 100, 3],
    ])
    const velocity = [1, 2, 3, 0, 5, 6, 7, 8]
    expect(part([7, 0, 0, 0, 0, 0, 0, 0], { velocity }).toSorted(([a], [b]) => a! - b!)).toEqual([
      [0, 62, 2, 7],
      [0, 64, 3, 7],
      [0, 67, 5, 7],
      [0, 69, 6, 7],
      [0, 71, 7, 7],
      [0, 72, 8, 7],
      [7, 60, 1, 2],
    ])
  })

  test('once where a chord has one twice, and eight together at most', () => {
    const chord = (values: readonly number[]) =>
      rowsOf(partOf(values, { ...KEYS, shape: { time: values.map((_, index) => Number(index === 0)) } }))
        .map(({ notes: [note] }) => note)
        .filter((note) => note !== REST)
    expect(chord([50, 60, 64, 60])).toEqual([60, 64])
    expect(chord(Array.from({ length: 20 }, (_, index) => 50 + index))).toEqual([
      51, 52, 53, 54, 55, 56, 57, 58,
    ])
  })

  test('at each step where all times are the same', () => {
    expect(part(Array(8).fill(3)).map(([step]) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })
})

describe('hits of values', () => {
  const hits = (data: readonly number[], more: Partial<Voicing>) =>
    notes(data, { instrument: 'kick', ...more }).map((note) => (note === REST ? 0 : 1))

  test('follow their rule', () => {
    expect(hits([0, 1, 0, 9], { hits: 'above_zero' })).toEqual([0, 1, 0, 1])
    expect(hits([10, 90, 50, 51], { hits: 'upper_half' })).toEqual([0, 1, 0, 1])
    expect(hits([5, 5, 6, 6], { hits: 'change' })).toEqual([1, 0, 1, 0])
  })

  test('are the louder the larger the value', () => {
    const { levels } = partOf([0, 1, 2, 3], { ...KEYS, instrument: 'hat' })
    expect([...levels]).toEqual([0, 82, 105, 127])
  })

  test('of a kit choose the piece', () => {
    const { kick, snare, hat, clap } = DRUM_NOTES
    expect(notes([0, 1, 2, 3, 4, 5], { instrument: 'kit' })).toEqual([REST, kick, snare, hat, clap, kick])
  })
})

describe('an arrangement', () => {
  const melody = { path: '/song:0', data: [0, 5, 10, 15, 20, 25] }
  const rhythm = { path: '/song:1/beat:0', data: [1, 0, 0, 1, 0, 0] }

  test('guesses a melody, a bass, drums and what stays silent', () => {
    const { paths } = arrange(
      [
        melody,
        { path: '/song:2', data: [60, 64, 67, 72, 60, 64] },
        rhythm,
        { path: '/song:1/beat:1', data: [0, 1, 0, 1, 0, 1] },
        { path: '/song:3', data: [0, 1, 2, 3, 4, 0] },
        { path: '/song:4', data: [7, 7, 7, 7, 7, 7] },
      ],
      {},
    )
    expect(paths.map(({ key, instrument, mapping }) => [key, instrument, mapping])).toEqual([
      ['0', 'keys', 'steps'],
      ['2', 'bass', 'notes'],
      ['1/0', 'kick', 'steps'],
      ['1/1', 'hat', 'steps'],
      ['3', 'kit', 'steps'],
      ['4', 'silent', 'spread'],
    ])
  })

  test('takes pitch, velocity, duration and time of one connector for one voice', () => {
    const data = [60, 64, 67, 72, 60, 64]
    const paths = [
      { path: '/weave:0/duet:0/motif:0/pitch:0', data },
      { path: '/weave:0/duet:0/motif:1/duration:0', data: [1, 2, 1, 2, 1, 2] },
      { path: '/weave:0/duet:1/velocity:0', data: [90, 60, 70, 60, 90, 60] },
      { path: '/weave:1/time:0', data: [0, 3, 6, 8, 11, 14] },
      { path: '/weave:2/other:0/velocity:0', data: [0, 50, 100, 0, 50, 120] },
    ]
    const arranged = arrange(paths, {}).paths
    expect(arranged.map(({ role, instrument, mapping }) => [role, instrument, mapping])).toEqual([
      ['pitch', 'keys', 'notes'],
      ['length', 'silent', 'steps'],
      ['velocity', 'silent', 'notes'],
      ['time', 'silent', 'steps'],
      // No notes beside it.
      [undefined, 'bass', 'spread'],
    ])
    expect(arranged[0]?.shape).toEqual({
      length: paths[1]!.data,
      velocity: paths[2]!.data,
      time: paths[3]!.data,
    })
  })

  test('has the role that was chosen, and lets a path with an instrument sound for itself', () => {
    const paths = [
      { path: '/song:0/tune:0', data: [60, 64, 67, 72] },
      { path: '/song:1/velocity:0', data: [90, 60, 70, 60] },
      { path: '/song:2/duration:0', data: [1, 2, 3, 9] },
    ]
    const chosen = [
      { path: '0/0', role: 'pitch' },
      { path: '2/0', instrument: 'bell' },
    ] as const
    const arranged = arrange(paths, { paths: chosen }).paths
    expect(arranged.map(({ role }) => role)).toEqual(['pitch', 'velocity', undefined])
    expect(arranged[0]?.shape).toEqual({ velocity: paths[1]!.data })
    expect(arranged[2]?.instrument).toBe('bell')
  })

  test('takes what was chosen, whatever the connectors are called by then', () => {
    const chosen = { paths: [{ path: '1/0', instrument: 'clap', octave: 2 }] } as const
    const { paths } = arrange([melody, { ...rhythm, path: '/renamed:1/other:0' }], chosen)
    expect(paths[1]).toMatchObject({ instrument: 'clap', octave: 2 })
  })

  test('plays eight paths at first, and a track for each that is on', () => {
    const many = Array.from({ length: 70 }, (_, index) => ({ ...melody, path: `/song:${index}` }))
    const arranged = arrange(many, { paths: [{ path: '0', muted: true }] })
    expect(arranged.paths).toHaveLength(64)
    const { tracks, steps, stepSeconds } = patternOf(arranged, 1)
    expect(tracks.map(({ key }) => key)).toEqual(['1', '2', '3', '4', '5', '6', '7'])
    expect(steps).toBe(6)
    expect(stepSeconds).toBeCloseTo(60 / 92 / 4, 12)
  })
})
