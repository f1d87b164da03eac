import { compute, isArithmetic } from '../arithmetic.ts'
import type { Algebra, Known } from './algebra.ts'
import {
  asLinear,
  combine,
  isZero,
  type Linear,
  linear,
  minus,
  plus,
  reduced,
  sameSum,
  substituted,
} from './linear.ts'
import type { Program } from './program.ts'
import type { State } from './state.ts'
import {
  type Constant,
  constant,
  MAX_32,
  pointer,
  rangeOf,
  sameValue,
  type Term,
  Unspecialised,
  type Value,
  WILD,
  type Wild,
} from './value.ts'

/** The loop over steps begins somewhere else. */
export class OtherHead extends Unspecialised {
  readonly pc: number

  constructor(pc: number) {
    super('the loop over steps')
    this.pc = pc
  }
}

/** A step's value has bits above 32 that the next one finds. */
export class WideValue extends Unspecialised {
  constructor() {
    super('bits of x above 32')
  }
}

/** Bytes of calldata between the word that says where the arguments are and the first of them. */
const ARGS_HEAD = 0x24n
const SELECTORS = { run: 0x9e26c033n, range: 0xf4d649f7n, cycle: 0x47ad3e03n }
/** Where values go: what memory a fresh call has free. */
const OUTPUT = 0x80n
/** Where the last value of a call of several steps goes. */
const END = linear(OUTPUT - 4n, { count: 4n })
const FREE_POINTER = 0x40
/** Instructions on one way through the frame: ours has about a hundred. */
const LONGEST = 400

/** One of the three entries of a transformation, as the Runner calls it with any count, lists and beginning. */
interface Entry {
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

function entriesFor(width: number): Entry[] {
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

/** A word as the frame has it; a test is one where the sum is zero and else zero, or the other way round. */
type Word =
  | Constant
  | Term
  | Linear
  | Wild
  | { readonly kind: 'test'; readonly of: Linear; readonly one: boolean }

interface Store {
  readonly at: Constant | Linear
  readonly word: Word
}

/** One way through the frame. */
interface Path {
  readonly entry: Entry
  pc: number
  stack: Word[]
  stores: Store[]
  /** It is the last step of the call; unset before that was decided. */
  isLast?: boolean
  /** The next step takes the first argument list again. */
  comesRound?: boolean
}

type Event =
  | { readonly kind: 'place' }
  | { readonly kind: 'return'; readonly at: Word; readonly size: Word }
  /** The code goes on in one place where a sum is zero, and in another where not. */
  | { readonly kind: 'fork'; readonly on: Linear; readonly zero: number; readonly other: number }

/**
 * The frame that `lib/solidity/wrap.ts` puts around a body: what reads the call and loops over steps. It is recognised by
 * what it does, for every call that the Runner may make, not by its bytes:
 *
 * - before the first step it puts x, the arguments and words of its own on the stack, and nothing into memory but
 *   where free memory begins;
 * - after a step it stores the low 32 bits of the step's value behind the last one and either begins the next step
 *   with the same stack, except for its cursor, the value and the next argument list, or returns all values.
 *
 * So by induction every step of every call begins alike, whatever count, list and entry are. A body that touches a word
 * of the frame ends there for us: if what follows is not the frame's own work, this throws.
 */
export class WrapperFrame {
  /** Where a step begins, and with what. */
  readonly pc: number
  readonly stack: readonly Value[]

  readonly #program: Program
  readonly #algebra: Algebra
  readonly #entries: readonly Entry[]
  readonly #heads: ReadonlySet<number>
  /** What the frame's words are in each entry, by place in the stack. */
  readonly #words: ReadonlyMap<Entry['kind'], readonly Word[]>

  /**
   * @param head Where the loop over steps begins, if that is known.
   * @throws Unspecialised
   */
  constructor(program: Program, algebra: Algebra, width: number, head?: number) {
    this.#program = program
    this.#algebra = algebra
    this.#entries = entriesFor(width)
    const traces = this.#entries.map((entry) => this.#trace(entry))
    const heads = [...traces[0]!.keys()].filter((pc) =>
      traces.every((trace) => trace.get(pc)?.length === traces[0]!.get(pc)!.length),
    )
    // In what our compiler makes, the first place is where the entries come together, the second where steps begin.
    const pc = head ?? heads[1] ?? heads[0]
    if (pc === undefined || !heads.includes(pc)) throw new Unspecialised('the loop over steps')
    this.pc = pc
    this.#heads = new Set(heads)
    const stacks = traces.map((trace) => trace.get(pc)!)
    this.stack = stacks[0]!.map((_, slot) =>
      this.#slot(
        stacks.map((stack) => stack[slot]!),
        slot,
      ),
    )
    if (this.stack.filter((value) => value === algebra.input.raw).length > 1) {
      throw new Unspecialised('the first x of the call')
    }
    this.#words = new Map(
      this.#entries.map((entry, i) => [
        entry.kind,
        stacks[i]!.map((word, slot) => this.#generic(stacks, word, slot)),
      ]),
    )
  }

  /**
   * The value of a step that comes to a word of the frame.
   *
   * @param pc Of the instruction that takes the word.
   * @throws Unspecialised unless all that follows is the frame's.
   */
  valueAt(pc: number, state: State): Value {
    let value: Value | undefined
    for (const entry of this.#entries) {
      const stack = state.stack.map((one) => this.#wordOf(one, entry))
      const open: Path[] = [{ entry, pc, stack, stores: [] }]
      for (let path = open.pop(); path !== undefined; path = open.pop()) {
        const event = this.#follow(path, state)
        if (event.kind === 'fork') open.push(...this.#fork(path, event))
        else if (entry.kind === 'run') value = this.#single(path, event, state)
        else if (event.kind === 'return') this.#several(path, event, value!, state)
        else this.#next(path, value!, state)
      }
    }
    return value!
  }

  /** Follows the code from its beginning, and notes the stack at every place that a jump may lead to. */
  #trace(entry: Entry): Map<number, readonly Word[]> {
    const path: Path = { entry, pc: 0, stack: [], stores: [] }
    const trace = new Map<number, readonly Word[]>()
    try {
      while (this.#follow(path).kind === 'place' && !trace.has(path.pc)) {
        if (!path.stores.every(({ at }) => sameSum(at, constant(FREE_POINTER)))) break
        const free = path.stores.at(-1)?.word
        if (isSum(free) && sameSum(free, entry.free)) trace.set(path.pc, [...path.stack])
        path.pc++
      }
    } catch (error) {
      if (!(error instanceof Unspecialised)) throw error
    }
    return trace
  }

  /** What a place of the stack holds when a step begins: the same for all entries, or the frame's. */
  #slot(words: readonly Word[], slot: number): Value {
    const [first] = words as [Word]
    if (first.kind === 'term' && words.every((word) => word === first)) return first
    if (
      first.kind === 'constant' &&
      words.every((word) => word.kind === 'constant' && word.word === first.word)
    ) {
      return constant(first.word, typeof first.word === 'number' && this.#program.places.has(first.word))
    }
    const isArgs = words.every((word, i) => isSum(word) && sameSum(word, this.#entries[i]!.firstArgs))
    return isArgs ? pointer('arguments', 0) : { kind: 'frame', slot }
  }

  /** A word of the frame in any step, from what it is in the first. */
  #generic(stacks: readonly (readonly Word[])[], word: Word, slot: number): Word {
    const begins = this.#entries.map(({ kind }) => constant(kind === 'run' ? 0 : Number(OUTPUT)))
    const isCursor = stacks.every((stack, i) => isSum(stack[slot]) && sameSum(stack[slot], begins[i]!))
    return isCursor && word.kind === 'constant' && word.word !== 0 ? linear(0n, { cursor: 1n }) : word
  }

  #wordOf(value: Value, entry: Entry): Word {
    switch (value.kind) {
      case 'constant':
      case 'term':
        return value
      case 'frame':
        return this.#words.get(entry.kind)![value.slot]!
      case 'pointer': {
        const base =
          value.region === 'arguments' ? entry.args : value.region === 'memory' ? entry.free : undefined
        if (base === undefined || value.index !== undefined) return WILD
        return reduced(plus(base, linear(BigInt(value.offset))))
      }
      default:
        return WILD
    }
  }

  /** `run` returns the value. */
  #single({ stores }: Path, event: Event, { facts }: State): Value {
    const [store] = stores
    const isWord = event.kind === 'return' && isNumber(event.at, 0) && isNumber(event.size, 0x20)
    if (!isWord || stores.length !== 1 || !isNumber(store!.at, 0))
      throw new Unspecialised('RETURN of its own')
    const value = plain(store!.word)
    if (rangeOf(value, facts).high > MAX_32) throw new Unspecialised('RETURN of its own')
    return value
  }

  /** The last step of `range` and `cycle` returns all values. */
  #several({ stores, isLast }: Path, event: Event & { kind: 'return' }, value: Value, known: Known): void {
    const [store] = stores
    const isAll =
      isLast === true &&
      stores.length === 1 &&
      sameSum(store!.at, END) &&
      this.#isLow(value, this.#apply('SHR', [constant(224), plain(store!.word)], known), known) &&
      isNumber(event.at, Number(OUTPUT)) &&
      isSum(event.size) &&
      sameSum(event.size, linear(0n, { count: 4n }))
    if (!isAll) throw new Unspecialised('RETURN of its own')
  }

  /** Any other step is followed by one that begins as it did. */
  #next({ entry, pc, stack, stores, isLast, comesRound }: Path, value: Value, known: Known): void {
    if (pc !== this.pc) throw new OtherHead(pc)
    const stored = (at: Linear) => stores.filter((store) => sameSum(store.at, at))
    const [kept, ...more] = stored(linear(0n, { cursor: 1n }))
    const free = stored(linear(BigInt(FREE_POINTER))).at(-1)?.word
    const following = comesRound ? linear(0xc4n) : plus(entry.args, linear(entry.listBytes))
    const nextArgs = entry.last === undefined ? entry.args : following
    const isNext =
      isLast === false &&
      (entry.last !== undefined) === (comesRound !== undefined) &&
      kept !== undefined &&
      more.length === 0 &&
      stores.every(({ at }) => sameSum(at, kept.at) || isNumber(at, FREE_POINTER)) &&
      this.#isLow(value, this.#apply('SHR', [constant(224), plain(kept.word)], known), known) &&
      isSum(free) &&
      sameSum(free, entry.free) &&
      stack.length === this.stack.length &&
      stack.every((word, slot) => {
        const begun = this.stack[slot]!
        if (begun === this.#algebra.input.raw) return isPlain(word) && this.#isLow(value, word, known)
        if (!isSum(word)) return false
        if (begun.kind === 'pointer') return sameSum(word, nextArgs)
        const before = this.#wordOf(begun, entry)
        if (!isSum(before)) return false
        const isCursor = before.kind === 'linear' && before.factors.has('cursor')
        return sameSum(word, isCursor ? plus(before, linear(4n)) : before)
      })
    if (!isNext) throw new Unspecialised('the loop over steps')
    const { x, raw } = this.#algebra.input
    const given = stack[this.stack.indexOf(raw)]
    if (x === raw && given !== undefined && rangeOf(plain(given), known.facts).high > MAX_32)
      throw new WideValue()
  }

  /** Whether a word has the value as its low 32 bits. */
  #isLow(value: Value, word: Value, known: Known): boolean {
    return sameValue(this.#apply('AND', [word, constant(Number(MAX_32))], known), value)
  }

  #apply(op: string, operands: readonly Value[], known: Known): Value {
    return this.#algebra.apply(op, operands, known)
  }

  /** The two ways on where the frame asks what it has to: whether this step is the last, and whether lists come round. */
  #fork(path: Path, { on, zero, other }: Event & { kind: 'fork' }): Path[] {
    const { entry, isLast, comesRound } = path
    const asks = (sum: Linear) => sameSum(on, sum) || sameSum(minus(linear(0n), on), sum)
    const cursor = linear(0n, { cursor: 1n })
    if (isLast === undefined && entry.kind !== 'run' && asks(minus(cursor, END))) {
      return [
        { ...with_(path, (word) => substituted(word, 'cursor', END)), pc: zero, isLast: true },
        { ...with_(path), pc: other, isLast: false },
      ]
    }
    if (isLast === false && comesRound === undefined && entry.last !== undefined) {
      const size = linear(entry.listBytes)
      if (asks(minus(plus(entry.args, size), entry.last))) {
        const from = minus(entry.last, size)
        return [
          { ...with_(path, (word) => substituted(word, 'list', from)), pc: zero, comesRound: true },
          { ...with_(path), pc: other, comesRound: false },
        ]
      }
    }
    throw new Unspecialised('the layout of the call')
  }

  /** Executes up to the next place that a step may begin at, fork or end. */
  #follow(path: Path, known?: Known): Event {
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
      if (name === 'JUMPDEST' && (known === undefined || this.#heads.has(path.pc))) return { kind: 'place' }
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
        stack.push(this.#operate(name, Array.from({ length: takes }, pop), known))
      } else if (name === 'POP') pop()
      else if (name === 'CALLDATALOAD') stack.push(this.#calldata(path.entry, pop()))
      else if (name === 'MLOAD' && known === undefined && isNumber(pop(), FREE_POINTER)) {
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

  #operate(op: string, operands: readonly Word[], known: Known | undefined): Word {
    if (operands.every(isPlain)) {
      if (known !== undefined) return this.#apply(op, operands, known) as Word
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

function isSum(word: Word | undefined): word is Constant | Linear {
  return word?.kind === 'constant' || word?.kind === 'linear'
}

function isPlain(word: Word): word is Constant | Term {
  return word.kind === 'constant' || word.kind === 'term'
}

function plain(word: Word): Constant | Term {
  if (!isPlain(word)) throw new Unspecialised('the layout of the call')
  return word
}

function isNumber(word: Word, number: number): boolean {
  return word.kind === 'constant' && word.word === number
}

function deep(stack: readonly Word[], depth: number): Word {
  const word = stack.at(-depth)
  if (word === undefined) throw new Unspecialised('an empty stack')
  return word
}

/** A copy of a path, its sums rewritten. */
function with_(path: Path, rewrite: (word: Linear) => Linear = (word) => word): Path {
  const sum = (word: Word): Word => (word.kind === 'linear' ? reduced(rewrite(word)) : word)
  return {
    ...path,
    stack: path.stack.map(sum),
    stores: path.stores.map(({ at, word }) => ({ at: sum(at) as Constant | Linear, word: sum(word) })),
  }
}
