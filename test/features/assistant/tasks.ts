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
  /** One voice plays what another did so many steps before. */
  readonly follows?: readonly [voice: number, other: number, steps: number]
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
    words: 'The tune, but half as fast, and twice as long',
    replies: [[TUNE_PIECE], [edit('tune', { do: 'sound', bpm: 50 }, { do: 'steps', steps: 64 })]],
    expected: { voices: 1, steps: 64, bpm: [50, 50], scale: [0, MAJOR], repeats: 8 },
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
]
