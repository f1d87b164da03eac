import { compute, isArithmetic } from '../arithmetic.ts'
import type { Algebra, FactScope } from './algebra.ts'
import { asLinear, combine, isZero, type Linear, linear, plus, reduced } from './linear.ts'
import type { Program } from './program.ts'
import { type Constant, constant, type Term, Unspecialised, WILD, type Wild } from './value.ts'

/** Bytes of calldata between the offset of the arguments and the first of them. */
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
  // Without arguments every list is the same, and the Runner calls `range`.
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

/** Where the free memory pointer is. */
export const FREE_POINTER = 0x40
/** Instructions on one way through the frame: ours has about a hundred. */
const LONGEST = 400

/** A word as the frame has it; a test is one where the sum is zero and else zero, or the other way round. */
export type Word =
  | Constant
  | Term
  | Linear
  | Wild
  | { readonly kind: 'test'; readonly of: Linear; readonly one: boolean }

export interface Store {
  readonly at: Constant | Linear
  readonly word: Word
}

/** One way through the frame. */
export interface Path {
  readonly entry: Entry
  pc: number
  stack: Word[]
  stores: Store[]
  /** It is the last step of the call; unset before that was decided. */
  isLast?: boolean
  /** The next step takes the first argument list again. */
  comesRound?: boolean
}

export type Event =
  | { readonly kind: 'place' }
  | { readonly kind: 'return'; readonly at: Word; readonly size: Word }
  /** The code goes on in one place where a sum is zero, and in another where not. */
  | { readonly kind: 'fork'; readonly on: Linear; readonly zero: number; readonly other: number }

/** Executes the code of a frame, where everything is a constant, a sum of quantities or, behind the body, a term. */
export class FrameCode {
  readonly #program: Program
  readonly #algebra: Algebra

  constructor(program: Program, algebra: Algebra) {
    this.#program = program
    this.#algebra = algebra
  }

  /**
   * Executes up to a fork, an end or a place that a jump may lead to.
   *
   * @param scope Of terms; without it only constants are computed.
   * @param stops Places that count; without it, all.
   * @throws Unspecialised
   */
  follow(path: Path, scope?: FactScope, stops?: ReadonlySet<number>): Event {
    const program = this.#program
    const { stack } = path
    const pop = (): Word => {
      const word = stack.pop()
      if (word === undefined) throw new Unspecialised('an empty stack')
      return word
    }
    for (let i = 0; i < LONGEST; i++) {
      const instruction = program.at.get(path.pc)
      const name = instruction?.definition?.name
      if (instruction === undefined || name === undefined) throw new Unspecialised('the end of the code')
      if (name === 'JUMPDEST' && stops?.has(path.pc) !== false) return { kind: 'place' }
      path.pc += name.startsWith('PUSH') ? 1 + Number(name.slice(4)) : 1
      if (instruction.pushed !== undefined) stack.push(constant(instruction.pushed))
      else if (name.startsWith('DUP')) stack.push(deep(stack, Number(name.slice(3))))
      else if (name.startsWith('SWAP')) {
        const depth = Number(name.slice(4)) + 1
        const other = deep(stack, depth)
        stack[stack.length - depth] = stack.at(-1)!
        stack[stack.length - 1] = other
      } else if (isArithmetic(name)) {
        const takes = instruction.definition!.takes
        stack.push(this.#operate(name, Array.from({ length: takes }, pop), scope))
      } else if (name === 'POP') pop()
      else if (name === 'CALLDATALOAD') stack.push(this.#calldata(path.entry, pop()))
      else if (name === 'MLOAD' && scope === undefined && isNumber(pop(), FREE_POINTER)) {
        stack.push(path.stores.at(-1)?.word ?? WILD)
      } else if (name === 'MSTORE') {
        const at = pop()
        if (!isSum(at)) throw new Unspecialised('an address known at run time only')
        path.stores.push({ at, word: pop() })
      } else if (name === 'JUMP') path.pc = this.#target(pop())
      else if (name === 'JUMPI') {
        const to = this.#target(pop())
        const condition = pop()
        const test = condition.kind === 'linear' ? ({ of: condition, one: false } as const) : condition
        if ('kind' in test && test.kind === 'constant') {
          if (test.word !== 0) path.pc = to
        } else if ('of' in test) {
          const fallsThrough = path.pc
          const [zero, other] = test.one ? [to, fallsThrough] : [fallsThrough, to]
          const decided = isZero(test.of)
          if (decided === undefined) return { kind: 'fork', on: test.of, zero, other }
          path.pc = decided ? zero : other
        } else throw new Unspecialised('a branch of its own')
      } else if (name === 'RETURN') return { kind: 'return', at: pop(), size: pop() }
      else if (name !== 'JUMPDEST') throw new Unspecialised(name)
    }
    throw new Unspecialised('much code')
  }

  #operate(op: string, operands: readonly Word[], scope: FactScope | undefined): Word {
    if (operands.every(isPlain)) {
      if (scope !== undefined) return this.#algebra.apply(op, operands, scope) as Word
      const words = operands.map((operand) => {
        if (operand.kind !== 'constant') throw new Unspecialised('the body')
        return operand.word
      })
      return constant(compute(op, words))
    }
    const [first] = operands
    if (op === 'ISZERO' && first?.kind === 'test') return { ...first, one: !first.one }
    const sums = operands.map((operand) => {
      if (!isSum(operand)) throw new Unspecialised('the layout of the call')
      return asLinear(operand)
    })
    const result = combine(op, sums)
    if (!('oneIfZero' in result)) return reduced(result)
    const decided = isZero(result.oneIfZero)
    return decided === undefined
      ? { kind: 'test', of: result.oneIfZero, one: true }
      : constant(decided ? 1 : 0)
  }

  #calldata({ head }: Entry, at: Word): Word {
    if (at.kind !== 'constant') throw new Unspecialised('calldata at an address known at run time only')
    if (at.word === 4) return this.#algebra.input.raw
    const word = head.get(Number(at.word))
    if (word === undefined) throw new Unspecialised('calldata that is not of the arguments')
    return reduced(word)
  }

  #target(to: Word): number {
    const pc = to.kind === 'constant' ? Number(to.word) : -1
    if (!this.#program.places.has(pc)) throw new Unspecialised('a jump to no known place')
    return pc
  }
}

export function isSum(word: Word | undefined): word is Constant | Linear {
  return word?.kind === 'constant' || word?.kind === 'linear'
}

export function isPlain(word: Word): word is Constant | Term {
  return word.kind === 'constant' || word.kind === 'term'
}

export function plain(word: Word): Constant | Term {
  if (!isPlain(word)) throw new Unspecialised('the layout of the call')
  return word
}

export function isNumber(word: Word, number: number): boolean {
  return word.kind === 'constant' && word.word === number
}

function deep(stack: readonly Word[], depth: number): Word {
  const word = stack.at(-depth)
  if (word === undefined) throw new Unspecialised('an empty stack')
  return word
}

/** A copy of a path, its sums rewritten. */
export function branch(path: Path, rewrite: (word: Linear) => Linear = (word) => word): Path {
  const sum = (word: Word): Word => (word.kind === 'linear' ? reduced(rewrite(word)) : word)
  return {
    ...path,
    stack: path.stack.map(sum),
    stores: path.stores.map(({ at, word }) => ({ at: sum(at) as Constant | Linear, word: sum(word) })),
  }
}
