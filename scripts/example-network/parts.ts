import { call, oneLine, type Part, table } from './entity.ts'

const STEPS = [call('add', 1)]

/** A connector that gives each number as it is, so that a path has a name that says what it is for. */
function namedIdentity(name: string, description: string): Part {
  return oneLine(name, description, { calls: STEPS })
}

/** A table of notes: a scale or chord, one note for each index. */
function notes(name: string, description: string, values: readonly number[]): Part {
  return oneLine(name, description, table(values, 'pitch'))
}

/** Start of a `swing`. @param phase Degrees. */
export function swingStart(phase: number): number {
  return 4096 * (2048 + Math.trunc(2047 * Math.sin((phase * Math.PI) / 180)))
}

/** Connectors that pieces are made of. */
export const exampleParts: readonly Part[] = [
  namedIdentity('pitch', 'Every pitch, one after the other.'),
  namedIdentity('velocity', 'Every loudness, one after the other.'),
  namedIdentity('duration', 'Every length, one after the other.'),
  {
    name: 'time',
    // Onsets of a tresillo in sixteenths: 0, 3, 6, 8, 11, 14, 16, …
    description: 'Onsets of a tresillo, in sixteenths.',
    lines: [{ calls: [call('add', 3), call('add', 3), call('add', 2)] }],
  },
  namedIdentity('onset', 'Every onset, one after the other.'),
  namedIdentity('gate', 'Sounds at 1 and rests at 0.'),
  {
    name: 'dot',
    description: 'The place of a number on a paper of 128 dots.',
    lines: [{ calls: [call('cycle', 1, 128)] }],
  },
  {
    name: 'warp',
    description: 'The shaft of each warp thread, on a loom of sixteen.',
    lines: [{ calls: [call('cycle', 1, 16)] }],
  },
  {
    name: 'weft',
    description: 'The shaft that each weft thread goes with, on a loom of sixteen.',
    lines: [{ calls: [call('cycle', 1, 16)] }],
  },
  {
    name: 'circle',
    description: 'A point for each degree of a circle, from the top: across, and upwards.',
    lines: [
      { calls: [call('swing', 10, 0, 0)], start: swingStart(0) },
      { calls: [call('swing', 10, 900, 0)], start: swingStart(90) },
    ],
  },
  {
    name: 'circle_backwards',
    description: 'A point for each degree of a circle that turns the other way: across, and upwards.',
    lines: [
      { calls: [call('swing', 10, 1800, 0)], start: swingStart(180) },
      { calls: [call('swing', 10, 900, 0)], start: swingStart(90) },
    ],
  },
  { name: 'coin', description: 'Odd or even.', lines: [{ calls: [call('cycle', 1, 2)] }] },
  notes(
    'five_notes',
    'Sixteen notes of A minor pentatonic, up from the A below middle C.',
    [57, 60, 62, 64, 67, 69, 72, 74, 76, 79, 81, 84, 86, 88, 91, 93],
  ),
  notes(
    'minor_scale',
    'Sixteen notes of A minor, up from the A below middle C.',
    [57, 59, 60, 62, 64, 65, 67, 69, 71, 72, 74, 76, 77, 79, 81, 83],
  ),
  notes(
    'triad_below',
    'For each of sixteen notes of A minor the second note of its triad below.',
    [48, 52, 52, 57, 57, 60, 60, 60, 64, 64, 69, 69, 72, 72, 72, 76],
  ),
  notes('ring_of_eight', 'Eight bells in D, from the treble down.', [86, 85, 83, 81, 79, 78, 76, 74]),
]
