import type { Word } from '../words.ts'
import { constant, pointer, type Term, type Value } from './value.ts'

/**
 * How the step is called. The same body runs as `run`, `range` and `cycle`, with other calldata and other memory:
 * where its outcome differs between them it has to run as it is.
 */
export interface Layout {
  /** What the words of the head hold, by their place in the calldata. */
  readonly head: ReadonlyMap<number, Value>
  /** Argument lists one after another; the step's own is the one at `first`. */
  readonly lists: number
  readonly first: number
  /** Steps of the call. More than one: the second must depend on nothing but what the first gave. */
  readonly steps: 1 | 2
  /** `run` answers with a word, the others with four bytes a step. */
  readonly answer: 'word' | 'bytes'
}

const SELECTORS = { run: 0x9e26c033n, range: 0xf4d649f7n, cycle: 0x47ad3e03n }

/** The places of the head. */
const AT = { selector: 0, x: 4, args: 0x24, count: 0x44, width: 0x64, first: 0x84 }

/** Room between the offset of the arguments and the first of them. */
const ARGS_HEAD = 0x24

function layout(kind: keyof typeof SELECTORS, x: Term, steps: 1 | 2, more: [number, number][]): Layout {
  return {
    head: new Map<number, Value>([
      [AT.selector, constant(SELECTORS[kind] << 224n)],
      [AT.x, x],
      [AT.args, pointer('arguments', -ARGS_HEAD)],
      ...more.map(([at, value]) => [at, constant(value)] as const),
    ]),
    lists: kind === 'cycle' ? 2 : 1,
    first: kind === 'cycle' ? 1 : 0,
    steps,
    answer: kind === 'run' ? 'word' : 'bytes',
  }
}

export function asRun(x: Term): Layout {
  return layout('run', x, 1, [])
}

export function asRange(x: Term, steps: 1 | 2): Layout {
  return layout('range', x, steps, [[AT.count, steps]])
}

export function asCycle(x: Term, width: number, steps: 1 | 2): Layout {
  return layout('cycle', x, steps, [
    [AT.count, steps],
    [AT.width, width],
    [AT.first, 1],
  ])
}

/** The word of the argument lists at an offset from the first argument; `undefined` where the caller decides. */
export function argumentWord(
  { lists, first, steps }: Layout,
  args: readonly number[],
  offset: number,
): Word | undefined {
  if (offset === -0x20) return lists * args.length
  const place = offset / 0x20
  // Of one step the own list only, which is not the first: what stands before it is somebody else's.
  const from = steps === 1 ? first * args.length : 0
  if (!Number.isInteger(place) || place < from || place >= lists * args.length) return undefined
  return args[place % args.length]
}
