import { PHRASE_BOOK } from '#lib/studio/library/phrase-book.ts'
import { call, connectorsOf, type ExampleEntity, type ExamplePiece, start } from './entity.ts'
import { exampleParts } from './parts.ts'
import { OPENING, pieces } from './pieces/pieces.ts'
import { voices } from './pieces/voices.ts'
import { exampleTransformations } from './transformations.ts'

const conditions: readonly (readonly [name: string, body: string, description: string])[] = [
  ['tutorial_threshold_v1', 'return args[0] >= args[1];', 'True when the first number reaches the second.'],
  [
    'tutorial_divisible_v1',
    'if (args[1] <= 0) return false; return args[0] % args[1] == 0;',
    'True when the second number divides the first.',
  ],
]

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

const exampleConnectors = connectorsOf([...exampleParts, ...voices, ...pieces])

/** The fixtures of tutorials before the pieces, which are what is new. */
const connectors: readonly (ExampleEntity | ExamplePiece)[] = [
  ...exampleConnectors.slice(0, exampleParts.length),
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
  ...exampleConnectors.slice(exampleParts.length),
]

export const exampleNetwork: readonly (ExampleEntity | ExamplePiece)[] = [
  ...[
    ...PHRASE_BOOK.map(({ name, source, sentence }) => ({ name, source, description: sentence })),
    ...exampleTransformations,
  ].map(({ name, source, description }) => ({
    kind: 'transformation' as const,
    name,
    description,
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

/** Pieces of it, in the same order. */
export const examplePieces: readonly ExamplePiece[] = exampleNetwork.filter(
  (entity): entity is ExamplePiece => 'present' in entity,
)

/** Examples that pages show first, as `FEATURED` has them: connectors, those that look and sound best on top, and Worlds. */
export const EXAMPLES_SHOWN_FIRST: readonly string[] = [
  ...['two_clocks', ...OPENING.slice(0, 8), 'weave', 'nocturne', 'motif', 'duet'],
  ...['piano', 'cloth', 'bells', 'drum-machine', 'harp'].map((slug) => `worlds/${slug}`),
]

/** Display name of the account that publishes them. */
export const EXAMPLES_AUTHOR = 'Weft examples'
