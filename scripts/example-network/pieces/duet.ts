import { call, type Piece } from '../entity.ts'

/** Pieces that grow out of one another: a motif, a duet, and both on the beat of a tresillo. */
export const duetPieces: readonly Piece[] = [
  {
    title: 'Motif',
    name: 'motif',
    description:
      'Skips up the scale of C in long and short notes. It is the seed of the pieces around it: whoever wants a tune of their own begins here. Turn the first skip first.',
    lines: [
      {
        calls: [
          call('scale_up', 0, 60, 84, 2),
          call('scale_up', 0, 60, 84, 1),
          call('scale_up', 0, 60, 84, 2),
        ],
        start: 60,
      },
      // Lengths of 2 and 1 by turns.
      { calls: [call('flip', 3)], start: 2 },
    ],
    present: {
      particles: 32,
      tempo: 240,
      loop: true,
      world: 'score',
      knobs: [
        { name: 'first skip', at: 'call/0/0/3', min: 1, max: 6 },
        { name: 'second skip', at: 'call/0/1/3', min: 1, max: 6 },
      ],
      sound: {
        scale: 'major',
        paths: [
          { path: '0', role: 'pitch', instrument: 'bell', mapping: 'notes', room: 45 },
          { path: '1', role: 'length' },
        ],
      },
    },
  },
  {
    title: 'Duet',
    name: 'duet',
    description:
      'An arpeggio in A minor under scattered accents: one line of numbers is what is played, the other how loud. A congruential generator, as Derrick Lehmer built them in 1949, is the hand that scatters. Turn its factor first.',
    madeFrom: 'motif',
    lines: [
      // Its last step is the octave back down.
      {
        calls: [call('cycle', 3, 128), call('cycle', 4, 128), call('cycle', 5, 128), call('cycle', 116, 128)],
        start: 57,
      },
      { calls: [call('drift', 5, 17, 96)], start: 64 },
    ],
    consonant: true,
    present: {
      particles: 64,
      tempo: 360,
      loop: true,
      world: 'piano-roll',
      knobs: [
        { name: 'accents', at: 'call/1/0/0', min: 1, max: 31 },
        { name: 'third', at: 'call/0/0/0', min: 2, max: 5 },
      ],
      sound: {
        root: 9,
        scale: 'minor',
        paths: [
          { path: '0', role: 'pitch', instrument: 'pluck', mapping: 'notes', room: 35 },
          { path: '1', role: 'velocity' },
        ],
      },
    },
  },
  {
    title: 'Nocturne',
    name: 'nocturne',
    description:
      'The motif on the beat of a tresillo, three, three, two, its notes as long as their own numbers say. John Field wrote the first nocturnes, in 1812; this one was written by four small functions. Move the knob “step” first.',
    lines: [
      { calls: [call('cycle', 1, 24)], into: 'motif', bindings: { '0': 'pitch', '1': 'duration' } },
      { calls: [call('add', 1)], into: 'time' },
    ],
    consonant: true,
    present: {
      particles: 64,
      tempo: 300,
      loop: true,
      world: 'piano',
      knobs: [
        { name: 'step', at: 'call/0/0/0', min: 1, max: 11 },
        { name: 'round', at: 'call/0/0/1', min: 4, max: 24 },
      ],
      sound: {
        scale: 'major',
        paths: [{ path: '0/0/0', instrument: 'keys', mapping: 'notes', room: 50 }],
      },
    },
  },
  {
    title: 'Weave',
    name: 'weave',
    description:
      'There and back through the duet, on the beat of a tresillo: the thread that goes up comes down between its own notes. It is what this place is named for. Change the number of its notes first.',
    madeFrom: 'nocturne',
    lines: [
      // There and back again through the duet.
      {
        calls: [call('bounce_between', 1, 0, 39)],
        into: 'duet',
        bindings: { '0': 'pitch', '1': 'velocity' },
      },
      { calls: [call('add', 1)], into: 'time' },
    ],
    consonant: true,
    present: {
      particles: 64,
      tempo: 400,
      loop: true,
      world: 'cloth',
      knobs: [
        { name: 'notes', at: 'call/0/0/2', min: 4, max: 64 },
        { name: 'leap', at: 'call/0/0/0', min: 1, max: 5 },
      ],
      sound: {
        root: 9,
        scale: 'minor',
        paths: [{ path: '0/0/0', instrument: 'keys', mapping: 'notes', room: 40, echo: 20 }],
      },
    },
  },
]
