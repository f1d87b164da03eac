import { call, type Piece, table } from '../entity.ts'

const STEPS = [call('add', 1)]

/** Pieces from number theory: what looks like chance, and is not. */
export const chancePieces: readonly Piece[] = [
  {
    title: 'Hailstones',
    name: 'hailstones',
    description:
      'An even number is halved, an odd one tripled and one added, and every stone that was ever thrown came down to 1. Lothar Collatz asked in 1937 whether all do; nobody knows. Turn the first stone first.',
    lines: [
      {
        calls: [call('hailstone', 25), call('hailstone', 15), call('hailstone', 18), call('hailstone', 19)],
        start: 18,
      },
      table([104, 72, 86, 64, 94, 70], 'velocity'),
      { calls: STEPS, into: 'ground_of_four' },
    ],
    present: {
      particles: 96,
      tempo: 380,
      loop: true,
      world: 'harp',
      knobs: [
        { name: 'first stone', at: 'start/1', min: 2, max: 60 },
        { name: 'next stone', at: 'call/0/0/0', min: 2, max: 60 },
      ],
      sound: {
        root: 9,
        scale: 'pentatonic',
        paths: [
          { path: '0', role: 'pitch', instrument: 'bell', mapping: 'steps', octave: 4, span: 3, room: 50 },
          { path: '2/0/0', instrument: 'pad', mapping: 'notes', room: 40 },
        ],
      },
    },
  },
  {
    title: 'Sieve',
    name: 'sieve',
    description:
      'A rhythm of all numbers that three divides without a rest, and of those that leave two when divided by five; a second sieve picks its notes. Iannis Xenakis built rhythms and scales so, for Psappha in 1975. Turn the second divisor first.',
    lines: [
      { calls: [call('next_in_sieve', 4, 0, 7, 3)], into: 'five_notes' },
      { calls: [call('next_in_sieve', 3, 0, 5, 2)], into: 'onset' },
      table([112, 70, 92, 64, 100, 76, 84], 'velocity'),
      { calls: [call('euclid_beat', 3, 8)] },
      { calls: [call('euclid_beat', 5, 16)] },
    ],
    present: {
      particles: 120,
      tempo: 480,
      loop: true,
      world: 'drum-machine',
      knobs: [
        { name: 'first divisor', at: 'call/1/0/0', min: 2, max: 9 },
        { name: 'second divisor', at: 'call/1/0/2', min: 2, max: 12 },
        { name: 'divisor of notes', at: 'call/0/0/2', min: 2, max: 12 },
      ],
      sound: {
        root: 9,
        scale: 'pentatonic',
        paths: [
          { path: '0/0/0', instrument: 'pluck', mapping: 'notes', room: 30 },
          { path: '3', instrument: 'kick', hits: 'upper_half' },
          { path: '4', instrument: 'hat', hits: 'upper_half', pan: 30 },
        ],
      },
    },
  },
  {
    title: 'Clockwork bells',
    name: 'clockwork_bells',
    description:
      'A register of four bits shifts, and a bit that falls out flips some of the others: fifteen bells in an order that only looks like chance. Solomon Golomb worked it out in the 1950s, for radar and for space. Turn the taps first: few numbers ring all fifteen.',
    lines: [
      { calls: [call('shift_register', 12)], start: 1, into: 'five_notes' },
      { calls: [call('shift_register', 12)], start: 9, into: 'five_notes' },
      { calls: [call('spread_onsets', 5, 8)], into: 'onset' },
      table([108, 66, 84, 72, 96, 62, 88], 'velocity'),
    ],
    present: {
      particles: 120,
      tempo: 300,
      loop: true,
      world: 'bells',
      knobs: [
        { name: 'taps', at: 'call/0/0/0', min: 1, max: 15 },
        { name: 'taps below', at: 'call/1/0/0', min: 1, max: 15 },
        { name: 'strokes', at: 'call/2/0/0', min: 2, max: 8 },
      ],
      sound: {
        root: 9,
        scale: 'pentatonic',
        paths: [
          { path: '0/0/0', instrument: 'bell', mapping: 'notes', pan: -35, room: 60 },
          { path: '1/0/0', instrument: 'keys', mapping: 'notes', pan: 35, room: 50, level: 80 },
        ],
      },
    },
  },
]
