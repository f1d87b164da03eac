import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import type { CodeEntry, ConnectorEntry, DraftCall, Entry, NewId, StudioDocument } from '../document/types.ts'
import { PHRASE_BOOK } from './phrase-book.ts'

/** A transformation of the templates: its body, and the same arithmetic for the pictures. */
interface Body {
  readonly source: string
  readonly run: (x: number, args: readonly number[]) => number
}

/** Phrases where there is one: a network that has them needs no copy. */
const BODIES = {
  cycle: {
    source: sourceOfPhrase('cycle'),
    run: (x, [by = 0, places = 1]) => (x + by) % places,
  },
  set_to: {
    source: sourceOfPhrase('set_to'),
    run: (_, [value = 0]) => value,
  },
  euclid_beat: {
    source: sourceOfPhrase('euclid_beat'),
    run: (x, [hits = 1, steps = 1]) => {
      const place = (x + hits) % steps
      return place < hits ? place + 2 * steps : place
    },
  },
  random_walk: {
    source: sourceOfPhrase('random_walk'),
    run: (x, [most = 1, top = 1]) => {
      const chance = ((x & 0xffff) * 25_173 + 13_849) & 0xffff
      const place = Math.floor(x / 65_536)
      const far = (chance >> 8) % (most + 1)
      const next = (chance & 128) === 0 ? Math.min(top, place + far) : Math.max(0, place - far)
      return next * 65_536 + chance
    },
  },
  scatter: {
    source:
      '// Jumps about below args[2], every time the same way.\nreturn (x * args[0] + args[1]) % args[2];',
    run: (x, [by = 1, more = 0, below = 1]) => (x * by + more) % below,
  },
} as const satisfies Record<string, Body>

function sourceOfPhrase(name: string): string {
  const phrase = PHRASE_BOOK.find((each) => each.name === name)
  if (phrase === undefined) throw new Error(`There is no phrase ${name}`)
  return phrase.source
}

type BodyName = keyof typeof BODIES
type Call = readonly [body: BodyName, ...args: number[]]

/** A stream: where it starts, and what takes turns on it. */
interface TemplateStream {
  readonly start?: number
  readonly calls: readonly Call[]
}

export interface Template {
  readonly title: string
  /** Name of the connector, while it is free. */
  readonly name: string
  /** Describes it, and suggests what to try, in a sentence or two. */
  readonly advice: string
  /** Picture of its card. */
  readonly picture: 'steps' | 'hits' | 'stars' | 'weave'
  /** Slug of the sample World that shows it, where one fits. */
  readonly world?: string
  readonly streams: readonly TemplateStream[]
  readonly sound: ConnectorSound
  readonly knobs: readonly [TemplateKnob, TemplateKnob, TemplateKnob]
}

/** An argument of a stream's call. */
type TemplateKnob = readonly [
  name: string,
  stream: number,
  call: number,
  argument: number,
  min: number,
  max: number,
]

function pattern(...values: readonly number[]): TemplateStream {
  // A stream begins with its start: the pattern's first value, which its last call leads back to.
  const [first = 0, ...rest] = values
  return { start: first, calls: [...rest, first].map((value): Call => ['set_to', value]) }
}

function euclid(hits: number, steps: number): TemplateStream {
  return { start: 2 * steps, calls: [['euclid_beat', hits, steps]] }
}

function turns(body: BodyName, ...args: readonly (readonly number[])[]): TemplateStream {
  return { calls: args.map((each): Call => [body, ...each]) }
}

/**
 * Templates of the empty studio, each complete: numbers, sound, and a World where one fits. Values, as a document of each
 * would name every call, binding and position that they leave to `entriesOf`, and could not play before an engine runs.
 */
export const TEMPLATES: readonly Template[] = [
  {
    title: 'Melody',
    name: 'melody',
    advice: 'A tune of a few steps, again and again. Change one of them, and it takes another turn.',
    picture: 'steps',
    world: 'harp',
    streams: [
      turns('cycle', [2, 15], [3, 15], [1, 15], [11, 15]),
      turns('cycle', [0, 7], [0, 7], [0, 7], [3, 7]),
    ],
    sound: {
      bpm: 104,
      stepsPerBeat: 2,
      scale: 'major',
      paths: [
        { path: '0', instrument: 'keys', mapping: 'steps', octave: 4, span: 2 },
        { path: '1', instrument: 'bass', mapping: 'steps', octave: 2, span: 1 },
      ],
    },
    knobs: [
      ['leap', 0, 1, 0, 0, 14],
      ['range', 0, 0, 1, 4, 28],
      ['bass', 1, 3, 0, 0, 6],
    ],
  },
  {
    title: 'Drum pattern',
    name: 'drum_pattern',
    advice: 'Kick, snare and hat, step by step: switch any of them on and off.',
    picture: 'hits',
    world: 'rounds',
    streams: [
      pattern(1, 0, 0, 1, 1, 0, 0, 0),
      pattern(0, 0, 1, 0, 0, 0, 1, 0),
      pattern(3, 1, 2, 1, 3, 1, 2, 2),
    ],
    sound: {
      bpm: 108,
      stepsPerBeat: 2,
      paths: [
        { path: '0', instrument: 'kick', hits: 'above_zero' },
        { path: '1', instrument: 'snare', hits: 'above_zero' },
        { path: '2', instrument: 'hat', hits: 'above_zero' },
      ],
    },
    knobs: [
      ['second kick', 0, 3, 0, 0, 1],
      ['extra snare', 1, 3, 0, 0, 1],
      ['first hat', 2, 0, 0, 0, 4],
    ],
  },
  {
    title: 'Euclidean rhythm',
    name: 'euclidean',
    advice: 'A few hits, spread as evenly as they go: the rhythms of Cuba and West Africa.',
    picture: 'hits',
    world: 'rounds',
    streams: [euclid(4, 16), euclid(5, 16), euclid(7, 12)],
    sound: {
      bpm: 112,
      stepsPerBeat: 4,
      paths: [
        { path: '0', instrument: 'kick', hits: 'upper_half' },
        { path: '1', instrument: 'clap', hits: 'upper_half' },
        { path: '2', instrument: 'hat', hits: 'upper_half' },
      ],
    },
    knobs: [
      ['kicks', 0, 0, 0, 1, 16],
      ['claps', 1, 0, 0, 1, 16],
      ['hats', 2, 0, 0, 1, 12],
    ],
  },
  {
    title: 'Random walk',
    name: 'random_walk',
    advice: 'A tune that goes up or down by chance, the same for everyone. Let it take longer strides.',
    picture: 'steps',
    // A World that shows what is heard: the numbers hold chance beside the place.
    world: 'piano-roll',
    streams: [
      { start: 12 * 65_536 + 1, calls: [['random_walk', 2, 24]] },
      { start: 6 * 65_536 + 7, calls: [['random_walk', 1, 12]] },
    ],
    sound: {
      bpm: 120,
      stepsPerBeat: 2,
      scale: 'pentatonic',
      paths: [
        { path: '0', instrument: 'bell', mapping: 'spread', octave: 4, span: 2 },
        { path: '1', instrument: 'pluck', mapping: 'spread', octave: 3, span: 1 },
      ],
    },
    knobs: [
      ['stride', 0, 0, 0, 1, 12],
      ['height', 0, 0, 1, 4, 48],
      ['second stride', 1, 0, 0, 1, 12],
    ],
  },
  {
    title: 'Arpeggio',
    name: 'arpeggio',
    advice: 'Chords, note by note, that move on along a scale.',
    picture: 'steps',
    world: 'harp',
    streams: [
      turns('cycle', [2, 14], [2, 14], [2, 14], [9, 14]),
      turns('cycle', [0, 7], [0, 7], [0, 7], [1, 7]),
    ],
    sound: {
      bpm: 96,
      stepsPerBeat: 4,
      root: 9,
      scale: 'minor',
      paths: [
        { path: '0', instrument: 'pluck', mapping: 'steps', octave: 4, span: 2 },
        { path: '1', instrument: 'bass', mapping: 'steps', octave: 2, span: 1 },
      ],
    },
    knobs: [
      ['chord leap', 0, 3, 0, 0, 13],
      ['range', 0, 0, 1, 4, 28],
      ['bass', 1, 3, 0, 0, 6],
    ],
  },
  {
    title: 'Cloth',
    name: 'cloth',
    advice: 'Threads over and under each other. Change one number, and they cross in another weave.',
    picture: 'weave',
    world: 'cloth',
    streams: [turns('cycle', [3, 8], [1, 8]), turns('cycle', [1, 8], [2, 8], [1, 8])],
    sound: {
      bpm: 84,
      stepsPerBeat: 2,
      scale: 'pentatonic',
      paths: [
        { path: '0', instrument: 'pluck', mapping: 'steps', octave: 4, span: 2, pan: -30 },
        { path: '1', instrument: 'keys', mapping: 'steps', octave: 3, span: 2, pan: 30 },
      ],
    },
    knobs: [
      ['warp', 0, 0, 0, 0, 7],
      ['turn', 0, 1, 0, 0, 7],
      ['weft', 1, 1, 0, 0, 7],
    ],
  },
  {
    title: 'Starfield',
    name: 'starfield',
    advice: 'A sky of points. Change one number, and other stars appear.',
    picture: 'stars',
    world: 'starfield',
    streams: [turns('scatter', [37, 11, 997]), turns('scatter', [53, 7, 991]), turns('scatter', [3, 1, 7])],
    sound: {
      bpm: 72,
      stepsPerBeat: 2,
      scale: 'pentatonic',
      paths: [
        { path: '0', instrument: 'bell', mapping: 'spread', octave: 5, span: 2 },
        { path: '1', instrument: 'pad', mapping: 'spread', octave: 3, span: 1 },
        { path: '2', instrument: 'silent' },
      ],
    },
    knobs: [
      ['sky', 0, 0, 0, 2, 99],
      ['drift', 1, 0, 0, 2, 99],
      ['sizes', 2, 0, 2, 2, 9],
    ],
  },
  {
    title: 'Counterpoint',
    name: 'counterpoint',
    advice: 'Two voices that meet and part over a slow bass. Change one step, and they meet elsewhere.',
    picture: 'steps',
    world: 'piano',
    streams: [
      turns('cycle', [1, 15], [1, 15], [2, 15], [12, 15]),
      {
        start: 9,
        calls: [
          ['cycle', 14, 15],
          ['cycle', 14, 15],
          ['cycle', 13, 15],
          ['cycle', 3, 15],
        ],
      },
      turns('cycle', [0, 7], [0, 7], [0, 7], [4, 7]),
    ],
    sound: {
      bpm: 92,
      stepsPerBeat: 2,
      scale: 'dorian',
      root: 2,
      paths: [
        { path: '0', instrument: 'keys', mapping: 'steps', octave: 4, span: 2 },
        { path: '1', instrument: 'lead', mapping: 'steps', octave: 3, span: 2 },
        { path: '2', instrument: 'bass', mapping: 'steps', octave: 2, span: 1 },
      ],
    },
    knobs: [
      ['upper leap', 0, 2, 0, 0, 14],
      ['lower leap', 1, 2, 0, 0, 14],
      ['bass', 2, 3, 0, 0, 6],
    ],
  },
]

/** The first values of each stream of a template, for its picture. */
export function valuesOf({ streams }: Template, count: number): readonly (readonly number[])[] {
  return streams.map(({ start = 0, calls }) => {
    const values = [start]
    for (let step = 1; step < count; step++) {
      const [body, ...args] = calls[(step - 1) % calls.length]!
      values.push(BODIES[body].run(values[step - 1]!, args))
    }
    return values
  })
}

/** A template as entries of a document: its connector first, then the bodies that it uses. */
export function entriesOf({ name, streams, sound, knobs }: Template, newId: NewId): readonly Entry[] {
  const used = [...new Set(streams.flatMap(({ calls }) => calls.map(([body]) => body)))]
  const callOf = ([body, ...args]: Call): DraftCall => ({ id: newId(), name: body, args: args.map(String) })
  const dimensions = streams.map(({ calls }) => ({
    id: newId(),
    calls: calls.map(callOf),
    composite: '',
    bindings: [],
  }))
  const connector: ConnectorEntry = {
    kind: 'connector',
    id: newId(),
    name,
    dimensions,
    condition: null,
    // Position 0 is the start of the indices.
    staticRi: streams.flatMap(({ start }, index) =>
      start === undefined
        ? []
        : [{ position: index + 1, startPoint: String(start), transformationShift: '0' }],
    ),
    sound,
    knobs: knobs.map(([label, stream, call, index, min, max]) => ({
      name: label,
      target: { kind: 'call', callId: dimensions[stream]!.calls[call]!.id, index },
      min,
      max,
    })),
  }
  const bodies = used.map(
    (body): CodeEntry => ({ kind: 'transformation', id: newId(), name: body, source: BODIES[body].source }),
  )
  return [connector, ...bodies]
}

/**
 * The entries of a template that a document lacks: a body that it has already, or that the network has under its name, is
 * called as it is.
 *
 * @param isPublished Whether the network has the phrase of that name.
 */
export function withoutKnown(
  entries: readonly Entry[],
  document: StudioDocument,
  isPublished: (name: string) => boolean,
): readonly Entry[] {
  return entries.filter(({ kind, name, ...entry }) => {
    if (kind === 'connector') return true
    const own = document.entries.find((each) => each.kind === kind && each.name === name)
    if (own === undefined) return !isPublished(name)
    return own.kind === 'connector' || !('source' in entry) || own.source !== entry.source
  })
}
