import type { CodeKind } from '#lib/studio/document/types.ts'
import { PHRASE_BOOK } from '#lib/studio/library/phrase-book.ts'

/** A body to begin with. Every example holds: the tests compile and run them all. Phrases have arguments in its place. */
export interface Snippet {
  readonly kind: CodeKind
  readonly title: string
  /** Effect, with its arguments by number. */
  readonly about: string
  readonly source: string
  /** Names of its arguments, in their order, where it is a phrase. */
  readonly takes?: readonly string[]
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

/** The phrase book, and bodies that show more of the language. */
export const SNIPPETS: readonly Snippet[] = [
  ...PHRASE_BOOK.map(
    ({ name, sentence, source, args }): Snippet => ({
      kind: 'transformation',
      title: name.replaceAll('_', ' '),
      about: sentence,
      source,
      takes: args.map((each) => each.name),
      examples: [],
    }),
  ),
  transformation(
    'Fold into a triangle',
    'x as a height: up to args[0] and back to 0',
    'require(args[0] != 0, "the height is at least 1");\nuint32 at = x % (2 * args[0]);\nreturn at <= args[0] ? at : 2 * args[0] - at;',
    [3, [4], 3],
    [5, [4], 3],
    [8, [4], 0],
  ),
  transformation(
    'Pick from a list',
    'args[x], beginning again after four',
    'uint32[4] memory list = [args[0], args[1], args[2], args[3]];\nreturn list[x % 4];',
    [0, [60, 62, 64, 67], 60],
    [6, [60, 62, 64, 67], 64],
  ),
  transformation(
    'Pseudo-random',
    'a number below args[0] that looks drawn by lot, always the same for the same x',
    'require(args[0] != 0, "the limit is at least 1");\nreturn uint32(uint256(keccak256(abi.encode(x))) % args[0]);',
    [0, [100], 47],
    [1, [100], 98],
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
    'args[0] is not below args[1]',
    'return args[0] >= args[1];',
    [[3, 3], true],
    [[-4, -3], false],
  ),
  condition(
    'Within',
    'args[0] is from args[1] to args[2]',
    'return args[0] >= args[1] && args[0] <= args[2];',
    [[5, 0, 9], true],
    [[-1, 0, 9], false],
  ),
  condition('Always', 'holds; a place to begin', 'return true;', [[], true]),
  condition(
    'Not yet',
    'stops with a sentence of your own while args[0] is 0',
    'require(args[0] != 0, "not yet");\nreturn true;',
    [[1], true],
    [[0], { reverts: 'not yet' }],
  ),
]
