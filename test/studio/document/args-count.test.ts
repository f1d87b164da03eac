import { expect, test } from 'vitest'
import { argsNamesOf } from '#lib/studio/document/args-count.ts'

test.each([
  ['return x + args[0];', []],
  ['// args: step, places\nreturn uint32((uint256(x) + args[0]) % args[1]);', ['step', 'places']],
  [
    'uint256 beats = args[0] == 0 ? 1 : args[0];\nuint32 steps = args[1] < beats ? 1 : args[1];\nreturn x;',
    ['beats', 'steps'],
  ],
  ['uint256 both = args[0] + args[1]; // uint32 no = args[0];\nreturn x;', []],
  ['uint32 last = args[2];', [undefined, undefined, 'last']],
] as const)('arguments are named by a comment, else by the variables that take them: %s', (source, names) => {
  expect([...argsNamesOf(source)]).toEqual([...names])
})
