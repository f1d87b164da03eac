import { GAS_SHAPES } from '#scripts/contracts/gas-shapes.ts'
import { define } from '#test/support/definitions.ts'

/** Typical bodies: a sum, a random number generator, shifts, a branch, a loop of the length of a table. */
export const BODIES = {
  ...GAS_SHAPES.transformations,
  Lcg: 'unchecked { return uint32((uint256(x) * 1664525 + args[0]) % 4294967296); }',
  Xorshift: 'unchecked { x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x + args[0]; }',
  Branch: 'return x % 2 == 0 ? x / 2 : uint32((uint256(x) * 3 + args[0]) % 4294967296);',
  Rounds: 'for (uint256 i = 0; i < 8; ++i) x = (x % 65521) * 31 + args[0]; return x;',
  Wheel: 'return uint32((uint256(x) + args[0]) % args[1]);',
} as const

function call(name: keyof typeof BODIES | string, ...args: number[]) {
  return { name, args }
}
function scalar(...transformations: ReturnType<typeof call>[]) {
  return { transformations }
}

/** Connectors that are run, in an order in which they can be built. Middle ones are parts only. */
export const CONNECTORS = [
  ...GAS_SHAPES.connectors,
  define({
    name: 'C4',
    dimensions: [
      scalar(call('Add', 7)),
      scalar(call('Lcg', 1013904223)),
      scalar(call('Xorshift', 1)),
      scalar(call('Branch', 5)),
    ],
  }),
  define({
    name: 'CYC',
    dimensions: [
      scalar(call('Add', 3), call('Xorshift', 1), call('Branch', 5), call('Wheel', 11, 9973)),
      scalar(call('Rounds', 17), call('Wheel', 5, 127), call('Lcg', 1013904223), call('Wheel', 3, 8191)),
    ],
  }),
  define({
    name: 'TREE',
    dimensions: [
      { transformations: [call('Add', 1)], composite: 'C4' },
      { transformations: [call('Wheel', 7, 8191)], composite: 'C4' },
    ],
  }),
]

/** Measures of a run, each with a word about it. */
export const SHAPES: Readonly<Record<string, string>> = {
  S1: 'one dimension [+1]',
  S3C3: 'three dimensions, cycle [+1, +2, +3] each',
  C4: 'four dimensions: sum, LCG, xorshift, branch',
  CYC: 'two dimensions, cycle of four transformations each',
  TREE: 'two dimensions, each over C4: eight leaves',
  D3: 'three levels, +2 over +3 over +1',
  T27: 'three levels of three, 27 leaves',
}
