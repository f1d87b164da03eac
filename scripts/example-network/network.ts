/** What `npm start` publishes, as plain requests of the chain API, in an order in which each finds what it needs. */
export interface ExampleEntity {
  readonly kind: 'transformation' | 'condition' | 'connector'
  readonly name: string
  readonly request: Readonly<Record<string, unknown>>
}

const transformations: readonly (readonly [name: string, body: string])[] = [
  ['add', 'return x + args[0];'],
  ['subtract', 'return x - args[0];'],
  ['multiply', 'return x * args[0];'],
  // Forward by args[0], around a ring of args[1] places.
  ['cycle', 'return uint32((uint256(x) + args[0]) % args[1]);'],
  // Flips the bits of args[0]: twice is back.
  ['flip', 'return x ^ args[0];'],
  // The next note of the major scale on args[0]; past args[2] it begins again at args[1].
  [
    'scale_up',
    `uint32 degree = (x + 12 - args[0] % 12) % 12;
uint32 next = x + (degree == 4 || degree == 11 ? 1 : 2);
return next > args[2] ? args[1] : next;`,
  ],
  // The note before in the major scale on args[0]; below args[1] it begins again at args[2].
  [
    'scale_down',
    `uint32 degree = (x + 12 - args[0] % 12) % 12;
uint32 step = degree == 0 || degree == 5 ? 1 : 2;
return x < args[1] + step ? args[2] : x - step;`,
  ],
  // Up by two on even numbers, down by two on odd ones, turning at args[0] and args[1].
  [
    'bounce',
    `if (x % 2 == 0) return x + 2 <= args[1] ? x + 2 : x + 1;
return x >= args[0] + 2 ? x - 2 : x - 1;`,
  ],
  // A scattered walk below args[2] that always comes out the same.
  ['drift', 'return uint32((uint256(x) * args[0] + args[1]) % args[2]);'],
]

const conditions: readonly (readonly [name: string, body: string])[] = [
  ['tutorial_threshold_v1', 'return args[0] >= args[1];'],
  ['tutorial_divisible_v1', 'if (args[1] <= 0) return false; return args[0] % args[1] == 0;'],
]

const call = (name: string, ...args: readonly number[]) => ({ name, args })
const start = (startPoint: number) => ({ start_point: startPoint, transformation_shift: 0 })

/** A connector of one plain line of numbers. */
const line = (name: string, ...calls: ReturnType<typeof call>[]): ExampleEntity => ({
  kind: 'connector',
  name,
  request: { name, dimensions: [{ transformations: calls }] },
})

/** Every second pitch from 60 on, if the condition holds. */
const everySecondPitch = (name: string, condition: string, args: readonly number[]): ExampleEntity => ({
  kind: 'connector',
  name,
  request: {
    name,
    dimensions: [{ transformations: [call('add', 2)], composite: 'pitch' }],
    condition_name: condition,
    condition_args: args,
    // Position 2 is pitch:0, the dimension below this connector's own.
    static_ri: { '2': start(60) },
  },
})

const connectors: readonly ExampleEntity[] = [
  line('pitch', call('add', 1)),
  line('velocity', call('add', 1)),
  line('duration', call('add', 1)),
  // Onsets of a tresillo in sixteenths: 0, 3, 6, 8, 11, 14, 16, …
  line('time', call('add', 3), call('add', 3), call('add', 2)),
  everySecondPitch('tutorial_threshold_pass', 'tutorial_threshold_v1', [12, 10]),
  everySecondPitch('tutorial_threshold_blocked', 'tutorial_threshold_v1', [8, 10]),
  everySecondPitch('tutorial_divisible_pass', 'tutorial_divisible_v1', [12, 3]),
  everySecondPitch('tutorial_divisible_blocked', 'tutorial_divisible_v1', [14, 3]),
  {
    kind: 'connector',
    name: 'motif',
    request: {
      name: 'motif',
      dimensions: [
        // Two notes up the scale of C, one back.
        {
          transformations: [
            call('scale_up', 0, 60, 84),
            call('scale_up', 0, 60, 84),
            call('scale_down', 0, 60, 84),
          ],
        },
        { transformations: [call('multiply', 2), call('add', 1), call('subtract', 3)] },
        {
          transformations: [call('add', 16), call('subtract', 24), call('add', 16), call('subtract', 8)],
        },
      ],
      static_ri: { '1': start(60), '2': start(2), '3': start(80) },
    },
  },
  {
    kind: 'connector',
    name: 'duet',
    request: {
      name: 'duet',
      dimensions: [
        // A minor arpeggio and, against it, a bass line that turns between two notes.
        {
          transformations: [call('add', 3), call('add', 4), call('add', 5), call('subtract', 12)],
        },
        { transformations: [call('bounce', 33, 52)] },
        { transformations: [call('flip', 21), call('drift', 5, 17, 96)] },
      ],
      static_ri: { '1': start(57), '2': start(34), '3': start(64) },
    },
  },
  {
    kind: 'connector',
    name: 'nocturne',
    request: {
      name: 'nocturne',
      dimensions: [
        {
          transformations: [call('cycle', 1, 24)],
          composite: 'motif',
          bindings: { '0': 'pitch', '1': 'duration', '2': 'velocity' },
        },
        { transformations: [call('add', 1)], composite: 'time' },
      ],
    },
  },
  {
    kind: 'connector',
    name: 'weave',
    request: {
      name: 'weave',
      dimensions: [
        {
          transformations: [call('cycle', 1, 40)],
          composite: 'duet',
          bindings: { '0': 'pitch', '1': 'pitch', '2': 'velocity' },
        },
        { transformations: [call('add', 1)], composite: 'time' },
      ],
    },
  },
]

export const exampleNetwork: readonly ExampleEntity[] = [
  ...transformations.map(([name, body]) => ({
    kind: 'transformation' as const,
    name,
    request: { name, sol_src: body },
  })),
  ...conditions.map(([name, body]) => ({
    kind: 'condition' as const,
    name,
    request: { name, sol_src: body },
  })),
  ...connectors,
]
