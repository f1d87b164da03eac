import type { ExampleEntity, ExamplePiece } from './entity.ts'

function call(name: string, ...args: readonly number[]) {
  return { name, args }
}
function start(startPoint: number) {
  return { start_point: startPoint, transformation_shift: 0 }
}

function piece(
  title: string,
  {
    name,
    description,
    madeFrom,
    present,
    ...request
  }: Pick<ExamplePiece, 'name' | 'description' | 'madeFrom' | 'present'> & ExampleEntity['request'],
): ExamplePiece {
  const words = { name, title, description, ...(madeFrom !== undefined && { madeFrom }) }
  return { kind: 'connector', ...words, present, request: { name, ...request } }
}

/** Pieces in an order in which each finds what it needs. Steps a minute are four for each beat. */
export const examplePieces: readonly ExamplePiece[] = [
  piece('Son clave', {
    name: 'son_clave',
    description:
      'The five strokes of the Cuban son clave, as places on a ring of sixteen, over a pulse of four. Turn the last gap of the clave first: the pattern no longer closes, and walks.',
    dimensions: [
      {
        transformations: [
          call('cycle', 3, 16),
          call('cycle', 3, 16),
          call('cycle', 4, 16),
          call('cycle', 2, 16),
          call('cycle', 4, 16),
        ],
      },
      { transformations: [call('cycle', 4, 16)] },
      { transformations: [call('cycle', 6, 16)] },
    ],
    present: {
      particles: 80,
      tempo: 400,
      loop: true,
      world: 'rounds',
      knobs: [
        { name: 'last gap', at: 'call/0/4/0', min: 1, max: 15 },
        { name: 'pulse', at: 'call/1/0/0', min: 1, max: 8 },
      ],
      sound: {
        root: 2,
        scale: 'dorian',
        paths: [
          { path: '0', instrument: 'pluck', mapping: 'steps', octave: 4, span: 2 },
          { path: '1', instrument: 'bass', mapping: 'steps', octave: 2, span: 1 },
          { path: '2', instrument: 'keys', mapping: 'steps', octave: 4, span: 1 },
        ],
      },
    },
  }),
  piece('Sunflower', {
    name: 'sunflower',
    description:
      'Seeds of a sunflower in rows: each one stands the golden section of the width further on, so that no two are ever above each other. Turn the golden step a little and the seeds fall into lines.',
    dimensions: [
      { transformations: [call('cycle', 618, 1000)] },
      { transformations: [call('add', 1)] },
      { transformations: [call('cycle', 21, 34)] },
    ],
    present: {
      particles: 233,
      tempo: 480,
      loop: true,
      world: 'starfield',
      knobs: [
        { name: 'golden step', at: 'call/0/0/0', min: 600, max: 640 },
        { name: 'glimmer', at: 'call/2/0/0', min: 1, max: 33 },
      ],
      sound: {
        root: 7,
        scale: 'pentatonic',
        paths: [
          { path: '0', instrument: 'bell', mapping: 'spread', octave: 4, span: 2 },
          { path: '1', instrument: 'pad', mapping: 'spread', octave: 3, span: 1 },
          { path: '2', instrument: 'silent' },
        ],
      },
    },
  }),
  piece('Broken twill', {
    name: 'broken_twill',
    description:
      'A draft for four shafts: the warp is threaded to and fro, the weft is trodden in threes. Turn the treadling, and twill becomes rosepath, basket or nothing that a loom would hold.',
    dimensions: [
      { transformations: [call('bounce_between', 1, 0, 7)] },
      { transformations: [call('cycle', 3, 8)] },
    ],
    present: {
      particles: 96,
      tempo: 360,
      loop: true,
      world: 'cloth',
      knobs: [
        { name: 'threading', at: 'call/0/0/2', min: 2, max: 15 },
        { name: 'treadling', at: 'call/1/0/0', min: 1, max: 7 },
      ],
      sound: {
        root: 5,
        scale: 'major',
        paths: [
          { path: '0', instrument: 'keys', mapping: 'steps', octave: 4, span: 2 },
          { path: '1', instrument: 'bass', mapping: 'steps', octave: 2, span: 1 },
        ],
      },
    },
  }),
  piece('Ladder and well', {
    name: 'ladder_and_well',
    description:
      'One voice climbs the strings of a harp in thirds, the other falls down them in fifths, and they meet where the scale lets them. Turn the climb first.',
    dimensions: [
      { transformations: [call('scale_up', 0, 48, 84, 2), call('scale_up', 0, 48, 84, 3)] },
      { transformations: [call('scale_up', 0, 48, 72, 4)] },
    ],
    static_ri: { '1': start(48), '2': start(60) },
    present: {
      particles: 48,
      tempo: 320,
      loop: true,
      world: 'harp',
      knobs: [
        { name: 'climb', at: 'call/0/0/3', min: 1, max: 7 },
        { name: 'fall', at: 'call/1/0/3', min: 1, max: 7 },
      ],
      sound: {
        paths: [
          { path: '0', instrument: 'pluck', mapping: 'notes' },
          { path: '1', instrument: 'pad', mapping: 'notes' },
        ],
      },
    },
  }),
  piece('Song over a tresillo', {
    name: 'tresillo_song',
    description:
      'A tune that climbs in thirds and drops back, on the uneven beat of a tresillo: three, three, two. Turn the leap to bend the tune; the beat stays.',
    dimensions: [
      {
        transformations: [
          call('scale_up', 0, 57, 76, 2),
          call('scale_up', 0, 57, 76, 2),
          call('scale_up', 0, 57, 76, 5),
        ],
        composite: 'pitch',
      },
      { transformations: [call('add', 1)], composite: 'time' },
    ],
    static_ri: { '1': start(57) },
    present: {
      particles: 48,
      tempo: 440,
      loop: true,
      world: 'piano-roll',
      knobs: [{ name: 'leap', at: 'call/0/2/3', min: 1, max: 9 }],
      sound: {
        root: 9,
        scale: 'minor',
        paths: [
          { path: '0/0', instrument: 'keys', mapping: 'notes' },
          { path: '1/0', instrument: 'silent' },
        ],
      },
    },
  }),
  piece('Night train', {
    name: 'night_train',
    description:
      'A broken chord in A minor that never stops, on wheels that beat three, three and two. Turn the third to four, and the morning comes.',
    dimensions: [
      { transformations: [call('arpeggio', 45, 3, 7)], composite: 'pitch' },
      { transformations: [call('add', 1)], composite: 'time' },
    ],
    static_ri: { '1': start(45) },
    present: {
      particles: 64,
      tempo: 520,
      loop: true,
      world: 'tone-machine',
      knobs: [
        { name: 'third', at: 'call/0/0/1', min: 2, max: 5 },
        { name: 'fifth', at: 'call/0/0/2', min: 5, max: 9 },
      ],
      sound: {
        root: 9,
        scale: 'minor',
        paths: [
          { path: '0/0', instrument: 'lead', mapping: 'notes' },
          { path: '1/0', instrument: 'silent' },
        ],
      },
    },
  }),
  piece('Study in steps', {
    name: 'study_in_steps',
    description:
      'A melody for one staff: up a third, on by a step, up a fourth, and from the top down to the beginning. Turn the second number and it becomes an exercise.',
    madeFrom: 'tresillo_song',
    dimensions: [
      {
        transformations: [
          call('scale_up', 0, 60, 79, 2),
          call('scale_up', 0, 60, 79, 1),
          call('scale_up', 0, 60, 79, 3),
        ],
        composite: 'pitch',
      },
      { transformations: [call('add', 1)], composite: 'time' },
    ],
    static_ri: { '1': start(60) },
    present: {
      particles: 32,
      tempo: 400,
      loop: true,
      world: 'score',
      knobs: [{ name: 'second step', at: 'call/0/1/3', min: 1, max: 6 }],
      sound: {
        scale: 'major',
        paths: [
          { path: '0/0', instrument: 'bell', mapping: 'notes' },
          { path: '1/0', instrument: 'silent' },
        ],
      },
    },
  }),
]
