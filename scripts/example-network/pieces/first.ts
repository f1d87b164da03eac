import { call, type Piece, table } from '../entity.ts'

/** Pieces in an order in which each finds what it needs. Steps a minute are four for each beat. */
export const firstPieces: readonly Piece[] = [
  {
    title: 'Son clave',
    name: 'son_clave',
    description:
      'The five strokes of the Cuban son clave, as places on a ring of sixteen, over a pulse of four. Turn the last gap of the clave first: the pattern no longer closes, and walks.',
    lines: [
      {
        calls: [
          call('cycle', 3, 16),
          call('cycle', 3, 16),
          call('cycle', 4, 16),
          call('cycle', 2, 16),
          call('cycle', 4, 16),
        ],
      },
      { calls: [call('cycle', 4, 16)] },
      { calls: [call('cycle', 6, 16)] },
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
  },
  {
    title: 'Sunflower',
    name: 'sunflower',
    description:
      'Seeds of a sunflower in rows: each one stands the golden section of the width further on, so that no two are ever above each other. Turn the golden step a little and the seeds fall into lines.',
    lines: [
      { calls: [call('cycle', 618, 1000)] },
      { calls: [call('add', 1)] },
      { calls: [call('cycle', 21, 34)] },
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
  },
  {
    title: 'Broken twill',
    name: 'broken_twill',
    description:
      'A twill whose diagonal breaks after eight threads and goes on the other way: threaded 1 2 3 4 1 2 3 4, then 2 1 4 3 2 1 4 3 on four shafts, and trodden in order. Denim that must not twist is woven so, with a break after every second thread. Turn the threads before a break first, and look at its draft.',
    lines: [
      { calls: [call('broken_draw', 8, 2)], into: 'warp' },
      { calls: [call('broken_draw', 96, 2)], into: 'weft' },
      table([104, 70, 88, 64, 96, 74], 'velocity'),
    ],
    present: {
      particles: 96,
      tempo: 360,
      loop: true,
      world: 'cloth',
      knobs: [
        { name: 'threads before a break', at: 'call/0/0/0', min: 2, max: 24 },
        { name: 'step at a break', at: 'call/0/0/1', min: 0, max: 3 },
        { name: 'picks before a break', at: 'call/1/0/0', min: 2, max: 96 },
      ],
      sound: {
        root: 5,
        scale: 'pentatonic',
        paths: [
          { path: '0/0', role: 'pitch', instrument: 'keys', mapping: 'spread', octave: 4, span: 1, pan: -20 },
          { path: '1/0', role: 'pitch', instrument: 'bass', mapping: 'steps', octave: 2, span: 1 },
        ],
      },
    },
  },
  {
    title: 'Ladder and well',
    name: 'ladder_and_well',
    description:
      'One voice climbs the strings of a harp in thirds, the other falls down them in fifths, and they meet where the scale lets them. Turn the climb first.',
    lines: [
      { calls: [call('scale_up', 0, 48, 84, 2), call('scale_up', 0, 48, 84, 3)], start: 48 },
      { calls: [call('scale_up', 0, 48, 72, 4)], start: 60 },
    ],
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
        scale: 'major',
        paths: [
          { path: '0', instrument: 'pluck', mapping: 'notes' },
          { path: '1', instrument: 'pad', mapping: 'notes' },
        ],
      },
    },
  },
  {
    title: 'Song over a tresillo',
    name: 'tresillo_song',
    description:
      'A tune that climbs in thirds and drops back, on the uneven beat of a tresillo: three, three, two. Turn the leap to bend the tune; the beat stays.',
    lines: [
      {
        calls: [
          call('scale_up', 0, 57, 76, 2),
          call('scale_up', 0, 57, 76, 2),
          call('scale_up', 0, 57, 76, 5),
        ],
        start: 57,
        into: 'pitch',
      },
      { calls: [call('add', 1)], into: 'time' },
    ],
    consonant: true,
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
  },
  {
    title: 'Night train',
    name: 'night_train',
    description:
      'A broken chord in A minor that never stops, on wheels that beat three, three and two. Turn the third to four, and the morning comes.',
    lines: [
      { calls: [call('arpeggio', 45, 3, 7)], start: 45, into: 'pitch' },
      { calls: [call('add', 1)], into: 'time' },
    ],
    consonant: true,
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
  },
  {
    title: 'Study in steps',
    name: 'study_in_steps',
    description:
      'A melody for one staff: up a third, on by a step, up a fourth, and from the top down to the beginning. Turn the second number and it becomes an exercise.',
    madeFrom: 'tresillo_song',
    lines: [
      {
        calls: [
          call('scale_up', 0, 60, 79, 2),
          call('scale_up', 0, 60, 79, 1),
          call('scale_up', 0, 60, 79, 3),
        ],
        start: 60,
        into: 'pitch',
      },
      { calls: [call('add', 1)], into: 'time' },
    ],
    consonant: true,
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
  },
]
