import { PHRASE_BOOK } from '#lib/studio/library/phrase-book.ts'
import type { ExampleEntity, ExamplePiece } from './entity.ts'
import { examplePieces } from './pieces.ts'

const conditions: readonly (readonly [name: string, body: string, description: string])[] = [
  ['tutorial_threshold_v1', 'return args[0] >= args[1];', 'True when the first number reaches the second.'],
  [
    'tutorial_divisible_v1',
    'if (args[1] <= 0) return false; return args[0] % args[1] == 0;',
    'True when the second number divides the first.',
  ],
]

function call(name: string, ...args: readonly number[]) {
  return { name, args }
}
function start(startPoint: number) {
  return { start_point: startPoint, transformation_shift: 0 }
}

/** A connector of one plain line of numbers. */
function line(name: string, description: string, ...calls: ReturnType<typeof call>[]): ExampleEntity {
  return {
    kind: 'connector',
    name,
    description,
    request: { name, dimensions: [{ transformations: calls }] },
  }
}

/** Every second pitch from 60 on, if the condition holds. */
function everySecondPitch(
  name: string,
  condition: string,
  args: readonly number[],
  madeFrom?: string,
): ExampleEntity {
  return {
    kind: 'connector',
    name,
    description: 'Every second pitch from middle C on, as long as its condition holds.',
    ...(madeFrom !== undefined && { madeFrom }),
    request: {
      name,
      dimensions: [{ transformations: [call('add', 2)], composite: 'pitch' }],
      condition_name: condition,
      condition_args: args,
      // Position 2 is pitch:0, the dimension below this connector's own.
      static_ri: { '2': start(60) },
    },
  }
}

const connectors: readonly (ExampleEntity | ExamplePiece)[] = [
  line('pitch', 'Every pitch, one after the other.', call('add', 1)),
  line('velocity', 'Every loudness, one after the other.', call('add', 1)),
  line('duration', 'Every length, one after the other.', call('add', 1)),
  // Onsets of a tresillo in sixteenths: 0, 3, 6, 8, 11, 14, 16, …
  line('time', 'Onsets of a tresillo, in sixteenths.', call('add', 3), call('add', 3), call('add', 2)),
  ...examplePieces,
  everySecondPitch('tutorial_threshold_pass_v1', 'tutorial_threshold_v1', [12, 10]),
  everySecondPitch(
    'tutorial_threshold_fail_v1',
    'tutorial_threshold_v1',
    [8, 10],
    'tutorial_threshold_pass_v1',
  ),
  everySecondPitch('tutorial_divisible_pass_v1', 'tutorial_divisible_v1', [12, 3]),
  everySecondPitch(
    'tutorial_divisible_fail_v1',
    'tutorial_divisible_v1',
    [14, 3],
    'tutorial_divisible_pass_v1',
  ),
  {
    kind: 'connector',
    name: 'motif',
    description: 'Skips up the scale of C in uneven lengths.',
    request: {
      name: 'motif',
      dimensions: [
        // Skipping up the scale of C, in lengths of 2, 1, 7, 4.
        {
          transformations: [
            call('scale_up', 0, 60, 84, 2),
            call('scale_up', 0, 60, 84, 1),
            call('scale_up', 0, 60, 84, 2),
          ],
        },
        { transformations: [call('flip', 3), call('flip', 6)] },
      ],
      static_ri: { '1': start(60), '2': start(2) },
    },
  },
  {
    kind: 'connector',
    name: 'duet',
    description: 'An arpeggio in A minor under scattered accents.',
    madeFrom: 'motif',
    request: {
      name: 'duet',
      dimensions: [
        // A minor arpeggio, its last step the octave back down, under scattered accents.
        {
          transformations: [
            call('cycle', 3, 128),
            call('cycle', 4, 128),
            call('cycle', 5, 128),
            call('cycle', 116, 128),
          ],
        },
        { transformations: [call('drift', 5, 17, 96)] },
      ],
      static_ri: { '1': start(57), '2': start(64) },
    },
  },
  {
    kind: 'connector',
    name: 'nocturne',
    description: 'The motif on the beat of a tresillo.',
    request: {
      name: 'nocturne',
      dimensions: [
        {
          transformations: [call('cycle', 1, 24)],
          composite: 'motif',
          bindings: { '0': 'pitch', '1': 'duration' },
        },
        { transformations: [call('add', 1)], composite: 'time' },
      ],
    },
  },
  {
    kind: 'connector',
    name: 'weave',
    description: 'There and back through the duet, on the beat of a tresillo.',
    madeFrom: 'nocturne',
    request: {
      name: 'weave',
      dimensions: [
        {
          // There and back again through the duet.
          transformations: [call('bounce_between', 1, 0, 39)],
          composite: 'duet',
          bindings: { '0': 'pitch', '1': 'velocity' },
        },
        { transformations: [call('add', 1)], composite: 'time' },
      ],
    },
  },
]

export const exampleNetwork: readonly (ExampleEntity | ExamplePiece)[] = [
  ...PHRASE_BOOK.map(({ name, source, sentence }) => ({
    kind: 'transformation' as const,
    name,
    description: sentence,
    request: { name, sol_src: source },
  })),
  ...conditions.map(([name, body, description]) => ({
    kind: 'condition' as const,
    name,
    description,
    request: { name, sol_src: body },
  })),
  ...connectors,
]

/** Examples that pages show first: connectors, the one that sounds best on top, and Worlds, the one that moves by itself. */
export const EXAMPLES_SHOWN_FIRST = [
  ...['weave', 'nocturne', 'motif', 'duet'],
  ...['cloth', 'piano-roll', 'tone-machine', 'harp'],
] as const

/** Display name of the account that publishes them. */
export const EXAMPLES_AUTHOR = 'Weft examples'
