import { type Linear, linear, plus } from './linear.ts'

/** Bytes of calldata between the word that says where the arguments are and the first of them. */
const ARGS_HEAD = 0x24n
const SELECTORS = { run: 0x9e26c033n, range: 0xf4d649f7n, cycle: 0x47ad3e03n }
/** Where values go: what memory a fresh call has free. */
export const OUTPUT = 0x80n
/** Where the last value of a call of several steps goes. */
export const END = linear(OUTPUT - 4n, { count: 4n })

/** One of the three entries of a transformation, as the Runner calls it with any count, lists and beginning. */
export interface Entry {
  readonly kind: keyof typeof SELECTORS
  /** The words of calldata before the arguments; x is in none of them. */
  readonly head: ReadonlyMap<number, Linear>
  /** Where the arguments of the first step begin, and of any step. */
  readonly firstArgs: Linear
  readonly args: Linear
  /** Behind the argument lists of `cycle`. */
  readonly last: Linear | undefined
  /** Where the memory begins that a step may use. */
  readonly free: Linear
  /** Bytes of one argument list. */
  readonly listBytes: bigint
}

/** @param width Arguments of one list. */
export function entriesFor(width: number): Entry[] {
  const entry = (kind: Entry['kind'], offset: bigint, words: Linear[], args: Partial<Entry>): Entry => {
    const first = linear(offset + ARGS_HEAD)
    const head = [linear(SELECTORS[kind] << 224n), linear(offset), ...words]
    return {
      kind,
      head: new Map(head.map((word, i) => [i === 0 ? 0 : 4 + 32 * i, word])),
      firstArgs: first,
      args: first,
      last: undefined,
      free: kind === 'run' ? linear(OUTPUT) : plus(END, linear(32n)),
      listBytes: BigInt(32 * width),
      ...args,
    }
  }
  const size = linear(BigInt(width))
  const count = linear(0n, { count: 1n })
  const entries = [entry('run', 0x40n, [size], {}), entry('range', 0x60n, [count, size], {})]
  // Without arguments every list is the same, and the Runner asks for `range`.
  if (width === 0) return entries
  const list = BigInt(32 * width)
  const lists = linear(0n, { lists: BigInt(width) })
  const cycle = entry('cycle', 0xa0n, [count, size, linear(0n, { first: 1n }), lists], {
    firstArgs: linear(0xc4n, { first: list }),
    args: linear(0n, { list: 1n }),
    last: linear(0xc4n, { lists: list }),
  })
  return [...entries, cycle]
}
