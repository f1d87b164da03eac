import { call, oneLine, type Part, table } from '../entity.ts'

/*
 * Voices of pieces: connectors that keep a pitch with its loudness, its rests or its time. Paths that share a connector
 * are one voice.
 */

const STEPS = [call('add', 1)]

/** A table of notes. */
function notes(name: string, description: string, values: readonly number[]): Part {
  return oneLine(name, description, table(values, 'pitch'))
}

/** A voice of an interlocking pair: notes of a figure of three, of which it rests at one. */
function interlocking(name: string, description: string, values: readonly number[], gate: readonly number[]) {
  return { name, description, lines: [table(values, 'pitch'), table(gate, 'gate')] }
}

/** Step `bit` of a row of cells: on or off for each number from 0 on. */
function bitOf(bit: number) {
  return table(Array.from({ length: 2 ** (bit + 1) }, (_, value) => (value >> bit) & 1))
}

const MINOR_FROM_40 = Array.from(
  { length: 32 },
  (_, degree) => 45 + 12 * Math.floor(degree / 7) + [0, 2, 3, 5, 7, 8, 10][degree % 7]!,
)

export const voices: readonly Part[] = [
  notes('phase_pattern', 'Twelve notes that can be laid over themselves at any distance.', [
    ...[62, 69, 74, 72, 67, 69, 77, 72, 62, 67, 74, 69],
  ]),
  {
    name: 'bell_pair',
    description: 'A note of A minor, and below it one of the triad.',
    lines: [
      { calls: STEPS, into: 'minor_scale' },
      { calls: STEPS, into: 'triad_below' },
    ],
  },
  notes('color_of_seven', 'Seven pitches of a motet’s upper voice.', [74, 77, 81, 77, 74, 69, 72]),
  notes('color_of_tenor', 'Seven pitches of a motet’s tenor.', [50, 57, 53, 57, 50, 45, 53]),
  {
    name: 'tenor',
    description: 'The tenor of a motet: seven pitches in eight lengths, twice as slow as the voice above.',
    lines: [
      { calls: STEPS, into: 'color_of_tenor' },
      { calls: [8, 4, 4, 6, 2, 4, 2, 2].map((length) => call('add', length)), into: 'onset' },
    ],
  },
  interlocking(
    'polos',
    'The lower of two interlocking players: it rests at the highest note.',
    [74, 76, 74],
    [1, 1, 0],
  ),
  interlocking(
    'sangsih',
    'The higher of two interlocking players: it rests at the lowest note.',
    [76, 76, 79],
    [0, 1, 1],
  ),
  {
    name: 'kotekan_pair',
    description: 'Two players share a figure of three notes, and meet on the middle one.',
    lines: [
      { calls: STEPS, into: 'polos' },
      { calls: STEPS, into: 'sangsih' },
    ],
  },
  {
    name: 'pokok',
    description: 'The slow melody that an ensemble plays around, a note every eight steps.',
    lines: [table([50, 57, 52, 55], 'pitch'), { calls: [call('add', 8)], into: 'onset' }],
  },
  notes('crab_theme', 'A theme of 32 notes that sounds well against itself backwards.', [
    ...[69, 72, 76, 72, 65, 69, 72, 77, 67, 72, 76, 79, 74, 71, 67, 71],
    ...[74, 79, 83, 79, 76, 72, 79, 76, 77, 81, 84, 81, 76, 72, 69, 69],
  ]),
  notes('crab_theme_below', 'The same theme an octave lower.', [
    ...[57, 60, 64, 60, 53, 57, 60, 65, 55, 60, 64, 67, 62, 59, 55, 59],
    ...[62, 67, 71, 67, 64, 60, 67, 64, 65, 69, 72, 69, 64, 60, 57, 57],
  ]),
  notes('minor_of_32', 'Thirty-two notes of A minor, up from the low A.', MINOR_FROM_40),
  {
    name: 'slow_infinity',
    description: 'The infinity series four times as slow: it is in every fourth note of itself.',
    lines: [
      { calls: [call('infinity_series')], start: 16, into: 'minor_of_32' },
      { calls: [call('add', 4)], into: 'onset' },
    ],
  },
  {
    name: 'slowest_infinity',
    description: 'The infinity series sixteen times as slow.',
    lines: [
      { calls: [call('infinity_series')], start: 16, into: 'minor_of_32' },
      { calls: [call('add', 16)], into: 'onset' },
    ],
  },
  notes('prelude_chords', 'Eight chords of five notes in C, the first bars of a prelude.', [
    ...[60, 64, 67, 72, 76, 60, 62, 69, 74, 77, 59, 62, 67, 74, 77, 60, 64, 67, 72, 76],
    ...[60, 64, 69, 76, 81, 60, 62, 66, 69, 74, 59, 62, 67, 74, 79, 59, 60, 64, 67, 72],
  ]),
  notes('five_letters', 'Five notes that make words: A, C, D, E and G.', [69, 72, 74, 76, 79]),
  notes('five_low_letters', 'The same five notes two octaves lower.', [45, 48, 50, 52, 55]),
  {
    name: 'slow_words',
    description: 'The same words on low notes, a letter every four steps.',
    lines: [
      { calls: [call('next_word', 2, 1)], start: 31, into: 'five_low_letters' },
      { calls: [call('add', 4)], into: 'onset' },
    ],
  },
  {
    name: 'ground_of_four',
    description: 'Four low notes, each for sixteen steps.',
    lines: [table([45, 41, 36, 43], 'pitch'), { calls: [call('add', 16)], into: 'onset' }],
  },
  {
    name: 'one_gate',
    description: 'Sounds where the share is 0.',
    lines: [table([1, 0])],
  },
  {
    name: 'other_gate',
    description: 'Sounds where the share is 1.',
    lines: [table([0, 1])],
  },
  {
    name: 'left_hand',
    description: 'An arpeggio of which it plays its fair share.',
    lines: [
      { calls: [call('cycle', 3, 11)], into: 'five_notes' },
      { calls: [call('fair_share')], into: 'one_gate' },
    ],
  },
  {
    name: 'right_hand',
    description: 'The other share of the same arpeggio.',
    lines: [
      { calls: [call('cycle', 3, 11)], into: 'five_notes' },
      { calls: [call('fair_share')], into: 'other_gate' },
    ],
  },
  {
    name: 'low_pulse',
    description: 'A low note every eight steps.',
    lines: [table([45, 45, 48, 43], 'pitch'), { calls: [call('add', 8)], into: 'onset' }],
  },
  {
    name: 'cell_drums',
    description:
      'A row of cells as a kit: kick, snare, hat and clap are its first four cells, a bass is all four.',
    lines: [
      bitOf(0),
      bitOf(1),
      bitOf(2),
      bitOf(3),
      table([33, 45, 36, 33, 40, 45, 43, 40, 33, 48, 36, 45, 40, 33, 43, 45], 'pitch'),
    ],
  },
  {
    name: 'walking_notes',
    description: 'A number below 64 as a note.',
    lines: [{ calls: [call('cycle', 1, 64)], into: 'pitch' }],
  },
  {
    name: 'walking_bass',
    description: 'Twelve bars of a bass, a note on each beat of three.',
    lines: [
      { calls: [call('twelve_bars', 33)], start: 33, into: 'walking_notes' },
      { calls: [call('add', 3)], into: 'onset' },
      table([104, 88, 96, 84], 'velocity'),
    ],
  },
  {
    name: 'blues_notes',
    description: 'Sixteen notes of the blues in A.',
    lines: [table([57, 60, 62, 63, 64, 67, 69, 72, 74, 75, 76, 79, 81, 79, 76, 72], 'pitch')],
  },
  {
    name: 'solo',
    description: 'A player who leaves room: walks by the Fibonacci word, off the beat.',
    lines: [
      { calls: [call('golden_walk', 2, 3)], start: 5, into: 'blues_notes' },
      { calls: [2, 1, 3, 2, 4, 2, 1, 9].map((length) => call('add', length)), start: 3, into: 'onset' },
      table([96, 70, 84, 104, 76, 90, 66, 100], 'velocity'),
      table([2, 1, 2, 1, 3, 2, 1, 3], 'duration'),
    ],
  },
]
