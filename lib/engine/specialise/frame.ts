import type { Algebra, FactScope } from './algebra.ts'
import {
  branch,
  END,
  type Entry,
  type Event,
  entriesFor,
  FREE_POINTER,
  FrameCode,
  isNumber,
  isPlain,
  isSum,
  OUTPUT,
  type Path,
  plain,
  type Word,
} from './frame-path.ts'
import { type Linear, linear, minus, plus, reduced, sameSum, substituted } from './linear.ts'
import type { Program } from './program.ts'
import type { State } from './state.ts'
import { constant, MAX_32, pointer, rangeOf, sameValue, Unspecialised, type Value, WILD } from './value.ts'

/** Places of jumps from the beginning of the code to the first step: ours has about ten. Other code may go in circles. */
const MOST_PLACES = 64

/** A step's value has bits above 32 that the next one finds. */
export class WideValue extends Unspecialised {
  constructor() {
    super('bits of x above 32')
  }
}

/**
 * The frame that `lib/compute/solidity/wrap.ts` puts around a body: what reads the call and loops over steps. It is recognised by
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
  readonly #code: FrameCode
  readonly #entries: readonly Entry[]
  readonly #heads: ReadonlySet<number>
  /** Words of the frame in each entry, by place in the stack. */
  readonly #words: ReadonlyMap<Entry['kind'], readonly Word[]>

  /** @throws Unspecialised */
  constructor(program: Program, algebra: Algebra, width: number) {
    this.#program = program
    this.#algebra = algebra
    this.#code = new FrameCode(program, algebra)
    this.#entries = entriesFor(width)
    const traces = this.#entries.map((entry) => this.#trace(entry))
    const heads = [...traces[0]!.keys()].filter((pc) =>
      traces.every((trace) => trace.get(pc)?.length === traces[0]!.get(pc)!.length),
    )
    // In what our compiler makes, the first place is where the entries come together, the second where steps begin.
    const pc = heads[1] ?? heads[0]
    if (pc === undefined) throw new Unspecialised('the loop over steps')
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
        const event = this.#code.follow(path, state, this.#heads)
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
      for (let places = 0; places < MOST_PLACES; places++) {
        if (this.#code.follow(path).kind !== 'place' || trace.has(path.pc)) break
        if (path.stores.length > MOST_PLACES) break
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

  /** Content of a place of the stack when a step begins: the same for all entries, or the frame's. */
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
  #several(
    { stores, isLast }: Path,
    event: Event & { kind: 'return' },
    value: Value,
    scope: FactScope,
  ): void {
    const [store] = stores
    const isAll =
      isLast === true &&
      stores.length === 1 &&
      sameSum(store!.at, END) &&
      this.#isLow(value, this.#apply('SHR', [constant(224), plain(store!.word)], scope), scope) &&
      isNumber(event.at, Number(OUTPUT)) &&
      isSum(event.size) &&
      sameSum(event.size, linear(0n, { count: 4n }))
    if (!isAll) throw new Unspecialised('RETURN of its own')
  }

  /** Any other step is followed by one that begins as it did. */
  #next({ entry, pc, stack, stores, isLast, comesRound }: Path, value: Value, scope: FactScope): void {
    const stored = (at: Linear) => stores.filter((store) => sameSum(store.at, at))
    const [valueStore, ...more] = stored(linear(0n, { cursor: 1n }))
    const free = stored(linear(BigInt(FREE_POINTER))).at(-1)?.word
    const following = comesRound ? linear(0xc4n) : plus(entry.args, linear(entry.listBytes))
    const nextArgs = entry.last === undefined ? entry.args : following
    const isNext =
      pc === this.pc &&
      isLast === false &&
      (entry.last !== undefined) === (comesRound !== undefined) &&
      valueStore !== undefined &&
      more.length === 0 &&
      stores.every(({ at }) => sameSum(at, valueStore.at) || isNumber(at, FREE_POINTER)) &&
      this.#isLow(value, this.#apply('SHR', [constant(224), plain(valueStore.word)], scope), scope) &&
      isSum(free) &&
      sameSum(free, entry.free) &&
      stack.length === this.stack.length &&
      stack.every((word, slot) => {
        const begun = this.stack[slot]!
        if (begun === this.#algebra.input.raw) return isPlain(word) && this.#isLow(value, word, scope)
        if (!isSum(word)) return false
        if (begun.kind === 'pointer') return sameSum(word, nextArgs)
        const before = this.#wordOf(begun, entry)
        if (!isSum(before)) return false
        const isCursor = before.kind === 'linear' && before.factors.has('cursor')
        return sameSum(word, isCursor ? plus(before, linear(4n)) : before)
      })
    if (!isNext) throw new Unspecialised('the loop over steps')
    const { x, raw } = this.#algebra.input
    const stackValue = stack[this.stack.indexOf(raw)]
    if (x === raw && stackValue !== undefined && rangeOf(plain(stackValue), scope.facts).high > MAX_32)
      throw new WideValue()
  }

  /** Whether a word has the value as its low 32 bits. */
  #isLow(value: Value, word: Value, scope: FactScope): boolean {
    return sameValue(this.#apply('AND', [word, constant(Number(MAX_32))], scope), value)
  }

  #apply(op: string, operands: readonly Value[], scope: FactScope): Value {
    return this.#algebra.apply(op, operands, scope)
  }

  /** The two branches of the frame's own conditions: whether this step is the last, and whether the lists wrap around. */
  #fork(path: Path, { on, zero, other }: Event & { kind: 'fork' }): Path[] {
    const { entry, isLast, comesRound } = path
    const asks = (sum: Linear) => sameSum(on, sum) || sameSum(minus(linear(0n), on), sum)
    const cursor = linear(0n, { cursor: 1n })
    if (isLast === undefined && entry.kind !== 'run' && asks(minus(cursor, END))) {
      return [
        { ...branch(path, (word) => substituted(word, 'cursor', END)), pc: zero, isLast: true },
        { ...branch(path), pc: other, isLast: false },
      ]
    }
    if (isLast === false && comesRound === undefined && entry.last !== undefined) {
      const size = linear(entry.listBytes)
      if (asks(minus(plus(entry.args, size), entry.last))) {
        const from = minus(entry.last, size)
        return [
          { ...branch(path, (word) => substituted(word, 'list', from)), pc: zero, comesRound: true },
          { ...branch(path), pc: other, comesRound: false },
        ]
      }
    }
    throw new Unspecialised('the layout of the call')
  }
}

/** State that is the same for every block of one translation. */
export interface Context {
  readonly program: Program
  readonly args: readonly Value[]
  readonly frame: WrapperFrame
  readonly algebra: Algebra
}
