import type { CodeKind } from '#lib/studio/document/types.ts'

/** A body to begin with. Every example holds: the tests compile and run them all. */
export interface Snippet {
  readonly kind: CodeKind
  readonly title: string
  /** What it does, with its arguments by number. */
  readonly about: string
  readonly source: string
  readonly examples: readonly SnippetExample[]
}

export interface SnippetExample {
  /** Absent for conditions. */
  readonly x?: number
  readonly args: readonly number[]
  /** The next value; whether a condition holds; or the reason of a revert. */
  readonly result: number | boolean | { readonly reverts: string }
}

const OVERFLOW = { reverts: 'Arithmetic overflow or underflow' }

function transformation(
  title: string,
  about: string,
  source: string,
  ...examples: readonly (readonly [x: number, args: readonly number[], result: SnippetExample['result']])[]
): Snippet {
  return {
    kind: 'transformation',
    title,
    about,
    source,
    examples: examples.map(([x, args, result]) => ({ x, args, result })),
  }
}

function condition(
  title: string,
  about: string,
  source: string,
  ...examples: readonly (readonly [args: readonly number[], result: SnippetExample['result']])[]
): Snippet {
  return {
    kind: 'condition',
    title,
    about,
    source,
    examples: examples.map(([args, result]) => ({ args, result })),
  }
}

export const SNIPPETS: readonly Snippet[] = [
  transformation(
    'Add',
    'x plus argument 0',
    'return x + args[0];',
    [60, [7], 67],
    [4_294_967_295, [1], OVERFLOW],
  ),
  transformation(
    'Subtract, stopping at zero',
    'x minus argument 0, never below 0',
    'return x > args[0] ? x - args[0] : 0;',
    [10, [3], 7],
    [2, [3], 0],
  ),
  transformation(
    'Multiply',
    'x times argument 0',
    'return x * args[0];',
    [6, [7], 42],
    [65_536, [65_536], OVERFLOW],
  ),
  transformation(
    'Divide',
    'x divided by argument 0, rounded down',
    'require(args[0] != 0, "divide by at least 1");\nreturn x / args[0];',
    [17, [5], 3],
    [17, [0], { reverts: 'divide by at least 1' }],
  ),
  transformation(
    'Wrap around',
    'x plus argument 0, counted in a circle of argument 1',
    'require(args[1] != 0, "a circle has at least 1 place");\nreturn uint32((uint256(x) + args[0]) % args[1]);',
    [10, [3, 12], 1],
    [4_294_967_295, [1, 7], 4],
    [4, [3, 0], { reverts: 'a circle has at least 1 place' }],
  ),
  transformation(
    'Keep within',
    'x, but at least argument 0 and at most argument 1',
    'if (x < args[0]) return args[0];\nif (x > args[1]) return args[1];\nreturn x;',
    [5, [10, 20], 10],
    [15, [10, 20], 15],
    [25, [10, 20], 20],
  ),
  transformation(
    'Fold into a triangle',
    'x as a height: up to argument 0 and back to 0',
    'require(args[0] != 0, "the height is at least 1");\nuint32 at = x % (2 * args[0]);\nreturn at <= args[0] ? at : 2 * args[0] - at;',
    [3, [4], 3],
    [5, [4], 3],
    [8, [4], 0],
  ),
  transformation(
    'Pick from a list',
    'the argument at place x, beginning again after four',
    'uint32[4] memory list = [args[0], args[1], args[2], args[3]];\nreturn list[x % 4];',
    [0, [60, 62, 64, 67], 60],
    [6, [60, 62, 64, 67], 64],
  ),
  transformation(
    'Snap to a scale',
    'the next lower note of the major scale (12 notes an octave)',
    [
      'uint32[12] memory down = [uint32(0), 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0];',
      'return x - down[x % 12];',
    ].join('\n'),
    [60, [], 60],
    [61, [], 60],
    [66, [], 65],
    [71, [], 71],
  ),
  transformation(
    'Euclidean rhythm',
    '1 where a hit falls when argument 0 hits are spread over argument 1 places, else 0; x is the place',
    'require(args[1] != 0, "a rhythm has at least 1 place");\nreturn (x * args[0]) % args[1] < args[0] ? 1 : 0;',
    [0, [3, 8], 1],
    [1, [3, 8], 0],
    [3, [3, 8], 1],
    [6, [3, 8], 1],
    [7, [3, 8], 0],
  ),
  transformation(
    'Pseudo-random',
    'a number below argument 0 that looks drawn by lot, always the same for the same x',
    'require(args[0] != 0, "the limit is at least 1");\nreturn uint32(uint256(keccak256(abi.encode(x))) % args[0]);',
    [0, [100], 47],
    [1, [100], 98],
  ),
  transformation(
    'Linear congruence',
    'x times argument 0 plus argument 1, cut to 32 bits: a cheap noise',
    'unchecked {\n    return x * args[0] + args[1];\n}',
    [1, [1_664_525, 1_013_904_223], 1_015_568_748],
    [4_294_967_295, [2, 0], 4_294_967_294],
  ),
  transformation(
    'Collatz',
    'half of x when it is even, else three times x plus 1',
    'return x % 2 == 0 ? x / 2 : 3 * x + 1;',
    [7, [], 22],
    [22, [], 11],
    [4_294_967_295, [], OVERFLOW],
  ),
  transformation(
    'Loop with a sum',
    'the sum of the digits of x',
    'uint32 sum = 0;\nwhile (x != 0) {\n    sum += x % 10;\n    x /= 10;\n}\nreturn sum;',
    [1999, [], 28],
    [0, [], 0],
  ),
  condition(
    'At least',
    'argument 0 is not below argument 1',
    'return args[0] >= args[1];',
    [[3, 3], true],
    [[-4, -3], false],
  ),
  condition(
    'Within',
    'argument 0 is from argument 1 to argument 2',
    'return args[0] >= args[1] && args[0] <= args[2];',
    [[5, 0, 9], true],
    [[-1, 0, 9], false],
  ),
  condition('Always', 'holds; a place to begin', 'return true;', [[], true]),
  condition(
    'Not yet',
    'stops with a sentence of your own while argument 0 is 0',
    'require(args[0] != 0, "not yet");\nreturn true;',
    [[1], true],
    [[0], { reverts: 'not yet' }],
  ),
]
