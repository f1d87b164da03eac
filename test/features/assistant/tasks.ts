import type { Arrangement } from '#lib/engine/sound/arrangement.ts'
import type { ScriptedCall } from '#test/support/model-stand-in.ts'

/** Sound that a task asks for: facts of the notes that are played, whatever the piece is made of. */
export interface Expected {
  readonly voices: number
  readonly steps: number
  /** Half tones above C, with the scale's steps: every note of a tuned voice is one of them. */
  readonly scale?: readonly [root: number, steps: readonly number[]]
  /** Rhythm of a voice from its first step on, repeated: `x` sounds, `.` does not. */
  readonly rhythm?: Readonly<Record<number, string>>
  /** Step at which a voice enters. */
  readonly enters?: Readonly<Record<number, number>>
  /** One voice plays what another did so many steps before, so many half tones away. */
  readonly follows?: readonly [voice: number, other: number, steps: number, halfTones?: number]
  readonly bpm?: readonly [least: number, most: number]
  /** Lowest and highest note of a voice. */
  readonly range?: Readonly<Record<number, readonly [number, number]>>
  /** All voices together repeat after so many steps. */
  readonly repeats?: number
  readonly check?: (arrangement: Arrangement) => boolean
}

export interface Task {
  readonly words: string
  /** Calls of each reply, as a model would make them; it listens after the last. */
  readonly replies: readonly (readonly ScriptedCall[])[]
  readonly expected: Expected
}

const MAJOR = [0, 2, 4, 5, 7, 9, 11]
const MINOR = [0, 2, 3, 5, 7, 8, 10]
const DORIAN = [0, 2, 3, 5, 7, 9, 10]
const PENTATONIC = [0, 3, 5, 7, 10]
const WHOLE = [0, 2, 4, 6, 8, 10]
const BLUES = [0, 3, 5, 6, 7, 10]

const KEYS = { instrument: 'keys', mapping: 'notes' } as const

function rests(count: number): null[] {
  return Array<null>(count).fill(null)
}
function call(name: string, ...args: number[]) {
  return { name, args }
}
function hits(rhythm: string): number[] {
  return [...rhythm].map((each) => (each === 'x' ? 1 : 0))
}
function write(name: string, steps: number, sound: object, ...voices: object[]): ScriptedCall {
  return ['write_connector', { name, steps, sound, voices }]
}
function edit(connector: string, ...edits: object[]): ScriptedCall {
  return ['edit_connector', { connector, edits }]
}

const CANON = [62, 64, 65, 67, 69, 67, 65, 64]
const TUNE = [60, 62, 64, 65, 67, 65, 64, 62]
const TUNE_PIECE = write('tune', 32, { bpm: 100, scale: 'major', root: 0 }, { values: TUNE, sound: KEYS })

/** From words to a piece, one after the other, each in an empty document. */
export const TASKS: readonly Task[] = [
  {
    words: 'A slow canon in D minor whose second voice enters after four steps',
    replies: [
      [
        write(
          'canon',
          48,
          { bpm: 60, stepsPerBeat: 2, scale: 'minor', root: 2 },
          { values: [...CANON, ...rests(4)], sound: KEYS },
          { values: [...rests(4), ...CANON], sound: { ...KEYS, instrument: 'pluck' } },
        ),
      ],
    ],
    expected: {
      voices: 2,
      steps: 48,
      scale: [2, MINOR],
      enters: { 0: 0, 1: 4 },
      follows: [1, 0, 4],
      bpm: [40, 76],
      repeats: 12,
    },
  },
  {
    words: 'The C major scale up and down',
    replies: [[TUNE_PIECE]],
    expected: { voices: 1, steps: 32, scale: [0, MAJOR], repeats: 8 },
  },
  {
    words: 'Four on the floor for two bars',
    replies: [
      [
        write(
          'floor',
          32,
          { bpm: 124, stepsPerBeat: 4 },
          { values: hits('x...'), sound: { instrument: 'kick' } },
        ),
      ],
    ],
    expected: { voices: 1, steps: 32, rhythm: { 0: 'x...' }, bpm: [115, 135] },
  },
  {
    words: 'Kick and snare: a rock beat with closed hats on the eighths',
    replies: [
      [
        write(
          'rock',
          32,
          { bpm: 110, stepsPerBeat: 4 },
          { values: hits('x.......x.x.....'), sound: { instrument: 'kick' } },
          { values: hits('....x.......x...'), sound: { instrument: 'snare' } },
          { values: hits('x.'), sound: { instrument: 'hat' } },
        ),
      ],
    ],
    expected: {
      voices: 3,
      steps: 32,
      rhythm: { 0: 'x.......x.x.....', 1: '....x.......x...', 2: 'x.' },
      repeats: 16,
    },
  },
  {
    words: 'A tresillo on the clap, over sixteen steps',
    replies: [
      [write('tresillo', 16, { bpm: 96 }, { values: hits('x..x..x.'), sound: { instrument: 'clap' } })],
    ],
    expected: { voices: 1, steps: 16, rhythm: { 0: 'x..x..x.' } },
  },
  {
    words: 'Five hits spread evenly over sixteen, with a rule and not written out',
    replies: [
      [
        write(
          'five',
          32,
          { bpm: 100 },
          {
            start: 32,
            calls: [call('euclid_beat', 5, 16)],
            sound: { instrument: 'kick', hits: 'upper_half' },
          },
        ),
      ],
    ],
    expected: {
      voices: 1,
      steps: 32,
      repeats: 16,
      check: ({ paths: [path] }) => path?.data.slice(0, 16).filter((value) => value >= 32).length === 5,
    },
  },
  {
    words: 'A pentatonic melody in A that walks up by steps of two and wraps',
    replies: [
      [
        write(
          'walk',
          32,
          { bpm: 90, scale: 'pentatonic', root: 9 },
          {
            calls: [call('cycle', 2, 9)],
            sound: { instrument: 'bell', mapping: 'steps', octave: 4, span: 2 },
          },
        ),
      ],
    ],
    expected: { voices: 1, steps: 32, scale: [9, PENTATONIC], repeats: 9 },
  },
  {
    words: 'A dorian line in D with a bass that changes every four steps',
    replies: [
      [
        write(
          'dorian_line',
          64,
          { bpm: 92, scale: 'dorian', root: 2 },
          {
            calls: [call('cycle', 3, 14)],
            sound: { instrument: 'keys', mapping: 'steps', octave: 4, span: 2 },
          },
          {
            calls: [call('stay'), call('stay'), call('stay'), call('cycle', 3, 7)],
            sound: { instrument: 'bass', mapping: 'steps', octave: 2, span: 1 },
          },
        ),
      ],
    ],
    expected: {
      voices: 2,
      steps: 64,
      scale: [2, DORIAN],
      check: ({ paths }) =>
        paths[1]!.data.every((value, step, all) => step % 4 === 0 || value === all[step - 1]),
    },
  },
  {
    words: 'A round of three voices in G major, each four steps after the one before',
    replies: [
      [
        write(
          'round',
          48,
          { bpm: 84, scale: 'major', root: 7 },
          ...[0, 4, 8].map((late) => ({
            values: [...rests(late), 67, 69, 71, 72, 74, 72, 71, 69, ...rests(8 - late)],
            sound: KEYS,
          })),
        ),
      ],
    ],
    expected: {
      voices: 3,
      steps: 48,
      scale: [7, MAJOR],
      enters: { 0: 0, 1: 4, 2: 8 },
      follows: [2, 0, 8],
      repeats: 16,
    },
  },
  {
    words: 'The tune in C, and a second voice a third below, together',
    replies: [
      [
        write(
          'thirds',
          32,
          { bpm: 100, scale: 'major' },
          { values: TUNE, sound: KEYS },
          { values: [57, 59, 60, 62, 64, 62, 60, 59], sound: KEYS },
        ),
      ],
    ],
    expected: {
      voices: 2,
      steps: 32,
      scale: [0, MAJOR],
      check: ({ paths: [a, b] }) => a!.data.every((note, step) => [3, 4].includes(note - b!.data[step]!)),
    },
  },
  {
    words: 'A voice an octave above the other, two steps later',
    replies: [
      [
        write(
          'octaves',
          40,
          { bpm: 100, scale: 'major' },
          { values: [...TUNE, ...rests(2)], sound: KEYS },
          { values: [...rests(2), ...TUNE.map((note) => note + 12)], sound: KEYS },
        ),
      ],
    ],
    expected: { voices: 2, steps: 40, scale: [0, MAJOR], follows: [1, 0, 2, 12] },
  },
  {
    words: 'An arpeggio of A minor, fast',
    replies: [
      [
        write(
          'arp',
          32,
          { bpm: 150, stepsPerBeat: 4, scale: 'minor', root: 9 },
          {
            start: 57,
            calls: [call('arpeggio', 57, 3, 7)],
            sound: { instrument: 'pluck', mapping: 'notes' },
          },
        ),
      ],
    ],
    expected: { voices: 1, steps: 32, scale: [9, MINOR], bpm: [130, 200], repeats: 4 },
  },
  {
    words: 'A whole-tone ripple that bounces between the bottom and the top',
    replies: [
      [
        write(
          'ripple',
          48,
          { bpm: 120, scale: 'whole' },
          {
            calls: [call('bounce_between', 1, 0, 6)],
            sound: { instrument: 'bell', mapping: 'steps', octave: 5, span: 2 },
          },
        ),
      ],
    ],
    expected: { voices: 1, steps: 48, scale: [0, WHOLE] },
  },
  {
    words: 'A blues bass in E, one bar of eight, swung',
    replies: [
      [
        write(
          'blues_bass',
          32,
          { bpm: 96, stepsPerBeat: 2, swing: 60, scale: 'blues', root: 4 },
          { values: [40, 43, 45, 46, 47, 50, 47, 45], sound: { instrument: 'bass', mapping: 'notes' } },
        ),
      ],
    ],
    expected: {
      voices: 1,
      steps: 32,
      scale: [4, BLUES],
      repeats: 8,
      range: { 0: [40, 50] },
      check: ({ swing }) => swing > 0,
    },
  },
  {
    words: 'Seven against five: two woodblocks that only meet every 35 steps',
    replies: [
      [
        write(
          'seven_five',
          70,
          { bpm: 110 },
          { values: hits('x......'), sound: { instrument: 'clap' } },
          { values: hits('x....'), sound: { instrument: 'hat' } },
        ),
      ],
    ],
    expected: { voices: 2, steps: 70, rhythm: { 0: 'x......', 1: 'x....' }, repeats: 35 },
  },
  {
    words: 'A melody that drifts at random, but the same way every time, in C minor, two octaves',
    replies: [
      [
        write(
          'drifting',
          64,
          { bpm: 88, scale: 'minor' },
          {
            start: 3,
            calls: [call('drift', 5, 17, 97)],
            sound: { instrument: 'keys', mapping: 'steps', octave: 4, span: 2 },
          },
        ),
      ],
    ],
    expected: { voices: 1, steps: 64, scale: [0, MINOR], range: { 0: [60, 84] } },
  },
  {
    words: 'A waltz: bass on one, chords on two and three, in F',
    replies: [
      [
        write(
          'waltz',
          48,
          { bpm: 160, stepsPerBeat: 1, scale: 'major', root: 5 },
          { values: [41, null, null, 48, null, null], sound: { instrument: 'bass', mapping: 'notes' } },
          { values: [null, 60, 60], sound: KEYS },
          { values: [null, 65, 65], sound: KEYS },
        ),
      ],
    ],
    expected: {
      voices: 3,
      steps: 48,
      scale: [5, MAJOR],
      rhythm: { 0: 'x..', 1: '.xx', 2: '.xx' },
      repeats: 6,
    },
  },
  {
    words: 'The tune, but half as fast',
    replies: [[TUNE_PIECE], [edit('tune', { do: 'sound', bpm: 50 })]],
    expected: { voices: 1, steps: 32, bpm: [50, 50], scale: [0, MAJOR] },
  },
  {
    words: 'The tune with a kick on each beat below it',
    replies: [
      [TUNE_PIECE],
      [edit('tune', { do: 'add_voice', voice: { values: hits('x...'), sound: { instrument: 'kick' } } })],
    ],
    expected: { voices: 2, steps: 32, rhythm: { 1: 'x...' }, scale: [0, MAJOR] },
  },
  {
    words: 'The tune, then only its second half as an echo: drop the echo again',
    replies: [
      [TUNE_PIECE],
      [edit('tune', { do: 'add_voice', voice: { values: [67, 65, 64, 62], sound: KEYS } })],
      [edit('tune', { do: 'remove_voice', voice: 1 })],
    ],
    expected: { voices: 1, steps: 32, scale: [0, MAJOR], repeats: 8 },
  },
  {
    words: 'The tune for twelve seconds: sixty-four steps',
    replies: [[TUNE_PIECE], [edit('tune', { do: 'steps', steps: 64 })]],
    expected: { voices: 1, steps: 64, repeats: 8 },
  },
  {
    words: 'A melody that climbs the major scale from middle C and begins again after an octave',
    replies: [
      [
        write(
          'climb',
          32,
          { bpm: 100, scale: 'major' },
          { start: 60, calls: [call('scale_up', 0, 60, 72, 1)], sound: KEYS },
        ),
      ],
    ],
    expected: { voices: 1, steps: 32, scale: [0, MAJOR], range: { 0: [60, 72] }, repeats: 8 },
  },
  {
    words: 'Write me a transformation that doubles and wraps at 61, and a bell that uses it',
    replies: [
      [
        [
          'write_code',
          {
            kind: 'transformation',
            name: 'double_wrap',
            source: 'return uint32((uint256(x) * 2) % args[0]);',
          },
        ],
        write(
          'doubling',
          64,
          { bpm: 90, scale: 'pentatonic' },
          {
            start: 1,
            calls: [call('double_wrap', 61)],
            sound: { instrument: 'bell', mapping: 'steps', octave: 5, span: 2 },
          },
        ),
      ],
    ],
    expected: {
      voices: 1,
      steps: 64,
      scale: [0, PENTATONIC],
      repeats: 0,
      check: ({ paths: [path] }) => path?.data.slice(0, 7).join() === '1,2,4,8,16,32,3',
    },
  },
  {
    words: 'The template with the melody, in D, slower',
    replies: [[['use_template', { title: 'Melody' }]], [edit('melody', { do: 'sound', root: 2, bpm: 72 })]],
    expected: { voices: 2, steps: 64, scale: [2, MAJOR], bpm: [72, 72] },
  },
  {
    words: 'A bar of rest before the melody comes in',
    replies: [
      [
        write(
          'late',
          48,
          { bpm: 90, stepsPerBeat: 4, scale: 'major' },
          { values: [...rests(16), ...TUNE], sound: KEYS },
        ),
      ],
    ],
    expected: { voices: 1, steps: 48, enters: { 0: 16 }, scale: [0, MAJOR], repeats: 24 },
  },
  {
    words: 'A song of two parts: four bars of one riff, four of another, chosen by a conductor',
    replies: [
      [
        write('riff', 16, { scale: 'minor' }, { values: [60, 63, 67, 63, 65, 68, 72, 68], sound: KEYS }),
        [
          'write_connector',
          {
            name: 'song',
            steps: 16,
            sound: { bpm: 100, scale: 'minor' },
            voices: [{ values: [0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7], select: 'riff' }],
          },
        ],
        edit('song', { do: 'voice_sound', path: '0/0', instrument: 'keys', mapping: 'notes' }),
      ],
    ],
    expected: {
      voices: 1,
      steps: 16,
      scale: [0, MINOR],
      check: ({ paths: [path] }) => path?.data.slice(0, 12).join() === '60,63,67,63,60,63,67,63,65,68,72,68',
    },
  },
  {
    words: 'Give it a knob for its leap, so that I can turn it',
    replies: [
      [
        write(
          'turning',
          32,
          { bpm: 90, scale: 'major' },
          {
            calls: [call('cycle', 3, 14)],
            sound: { instrument: 'keys', mapping: 'steps', octave: 4, span: 2 },
          },
        ),
      ],
      [edit('turning', { do: 'knob', voice: 0, call: 0, argument: 0, label: 'leap', min: 1, max: 13 })],
    ],
    expected: { voices: 1, steps: 32, scale: [0, MAJOR] },
  },
  {
    words: 'A drone of C and G under a slow pentatonic melody, quietly',
    replies: [
      [
        write(
          'drone',
          64,
          { bpm: 56, stepsPerBeat: 2, scale: 'pentatonic' },
          { values: [36], sound: { instrument: 'pad', mapping: 'notes', level: 60 } },
          { values: [43], sound: { instrument: 'pad', mapping: 'notes', level: 60 } },
          {
            calls: [call('cycle', 2, 9)],
            sound: { instrument: 'bell', mapping: 'steps', octave: 5, span: 1, room: 80 },
          },
        ),
      ],
    ],
    expected: {
      voices: 3,
      steps: 64,
      scale: [0, PENTATONIC],
      bpm: [40, 70],
      range: { 0: [36, 36], 1: [43, 43] },
    },
  },
  {
    words: 'A mistake to mend: a line in C that first runs out of its numbers',
    replies: [
      [
        write(
          'falling',
          16,
          { bpm: 90, scale: 'major' },
          { start: 3, calls: [call('subtract', 1)], sound: { instrument: 'keys', mapping: 'steps' } },
        ),
      ],
      [['result', { connector: 'falling' }]],
      [edit('falling', { do: 'set_call', voice: 0, call: 0, name: 'cycle', args: [1, 7] })],
    ],
    expected: { voices: 1, steps: 16, scale: [0, MAJOR], repeats: 7 },
  },
  {
    words: 'Two context in contrary motion from middle C, eight steps, D dorian on the way',
    replies: [
      [
        write(
          'mirror',
          32,
          { bpm: 92, scale: 'dorian', root: 2 },
          { values: [62, 64, 65, 67, 69, 71, 72, 74], sound: KEYS },
          { values: [62, 60, 59, 57, 55, 53, 52, 50], sound: KEYS },
        ),
      ],
    ],
    expected: {
      voices: 2,
      steps: 32,
      scale: [2, DORIAN],
      check: ({ paths: [up, down] }) =>
        up!.data
          .slice(1, 8)
          .every((note, step) => note > up!.data[step]! && down!.data[step + 1]! < down!.data[step]!),
    },
  },
]
