import { expect, test } from 'vitest'
import { argsCountOf, argsNamesOf } from '#lib/studio/document/args-count.ts'
import { cpuTime } from '#test/support/cpu-time.ts'

test.each([
  ['return x + args[0];', []],
  ['// args: step, places\nreturn uint32((uint256(x) + args[0]) % args[1]);', ['step', 'places']],
  [
    'uint256 beats = args[0] == 0 ? 1 : args[0];\nuint32 steps = args[1] < beats ? 1 : args[1];\nreturn x;',
    ['beats', 'steps'],
  ],
  ['uint256 both = args[0] + args[1]; // uint32 no = args[0];\nreturn x;', []],
  ['uint32 last = args[2];', [undefined, undefined, 'last']],
  ['uint32 far = args[4000000000];', []],
  ['// args: x, by, by, a name of several words, 2nd', [undefined, 'by', undefined, undefined, undefined]],
  [`// args: ${'long'.repeat(9)}, by`, [undefined, 'by']],
] as const)('arguments are named by a comment, else by the variables that take them: %s', (source, names) => {
  expect([...argsNamesOf(source)]).toEqual([...names])
})

test.each([
  ['blanks', (many: number) => `uint a = args${' '.repeat(many)}[${' '.repeat(many)}0${' '.repeat(many)};`],
  ['brackets', (many: number) => `uint a = args${') '.repeat(many)}[${'( '.repeat(many)}0;`],
  ['variables', (many: number) => 'uint a='.repeat(many)],
  ['digits', (many: number) => `uint${'1'.repeat(many)} a = args[${'1'.repeat(many)}`],
  ['words', (many: number) => `//${' '.repeat(many)}args${':'.repeat(many)} ${'args '.repeat(many)}`],
] as const)('a hostile source of many %s takes a moment', async (_, text) => {
  const source = text(8_192)
  expect(await cpuTime(() => [argsNamesOf(source), argsCountOf(source)])).toBeLessThan(200)
})
