import { bytesToHex } from 'viem/utils'
import { ByteLru } from '../../cache/byte-lru.ts'
import type { RunningInstance } from '../../domain/definition.ts'
import type { CallList } from '../plan/call-list.ts'
import type { StepBook } from '../steps/step-book.ts'
import { RunExhausted, RunReverted } from '../stop.ts'
import { BudgetExceeded, type SpecialisedStep } from '../types.ts'
import type { Indices } from '../walk/indices.ts'
import { OVERFLOW } from '../walk/rejections.ts'
import type { Allowance, Work } from '../work.ts'
import { answer, byCalls } from './by-calls.ts'
import { stepsCalldata } from './calldata.ts'
import { leapTo } from './far.ts'
import { compileLoop, type Loop } from './loop.ts'
import { pieceOf } from './pieces.ts'
import { Prefixes } from './prefixes.ts'
import { sweep } from './sweep.ts'

const LARGEST = 0xffff_ffff

export interface SequencesOptions {
  readonly book: StepBook
  /** Bytes of loops that are kept. */
  readonly loopBytes: number
  /** Bytes of values that are kept. */
  readonly prefixBytes: number
  /** Steps up to which all values of a sequence are kept. */
  readonly tableSteps: number
}

/** Values of dimensions that have transformations. */
export class Sequences {
  readonly #book: StepBook
  readonly #loops: ByteLru<string, Loop>
  readonly #prefixes: Prefixes
  readonly #tableSteps: number

  constructor({ book, loopBytes, prefixBytes, tableSteps }: SequencesOptions) {
    this.#book = book
    this.#loops = new ByteLru(loopBytes)
    this.#prefixes = new Prefixes(prefixBytes)
    this.#tableSteps = tableSteps
  }

  get bytes(): number {
    return this.#loops.bytes + this.#prefixes.bytes
  }

  /**
   * Writes the values at the wanted indices to `out`.
   *
   * @throws RunReverted, RunExhausted
   */
  *values(
    list: CallList,
    { startPoint, transformationShift: shift }: RunningInstance,
    indices: Indices,
    out: Uint32Array,
    allowance: Allowance,
  ): Work<void> {
    const turn = shift % list.calls.length
    // The number of a turn is checked arithmetic: the steps before the one that overflows do run.
    const overflows = list.calls.length > 1 && shift + indices.max > LARGEST
    const steps = overflows ? LARGEST - shift : indices.max
    const wanted = overflows ? undefined : indices
    const made = { startPoint, turn, steps }
    if (!(yield* this.#byLoop(list, made, wanted, out, allowance))) {
      yield* byCalls(this.#book, list, made, wanted, out, allowance)
    }
    if (overflows) throw new RunReverted(OVERFLOW, { kind: 'instance' })
  }

  /** @returns false when the dimension cannot be run as a loop. */
  *#byLoop(
    list: CallList,
    { startPoint, turn, steps }: { startPoint: number; turn: number; steps: number },
    indices: Indices | undefined,
    out: Uint32Array,
    allowance: Allowance,
  ): Work<boolean> {
    if (steps === 0) {
      out.fill(startPoint)
      return true
    }
    const loop = yield* this.#loopOf(list, turn)
    if (loop === undefined) return false
    let reverting: number | undefined
    try {
      reverting = this.#run(loop, startPoint, steps, indices, out, allowance)
    } catch (error) {
      throw error instanceof BudgetExceeded ? new RunExhausted('steps') : error
    }
    if (reverting === undefined) return true
    return yield* this.#confirmRevert(list, { loop, startPoint, turn, steps, reverting }, indices, allowance)
  }

  *#loopOf(list: CallList, turn: number): Work<Loop | undefined> {
    const key = `${turn}/${list.key}`
    const known = this.#loops.get(key)
    if (known) return known
    const steps: SpecialisedStep[] = []
    for (const call of list.calls) {
      const step = yield* this.#book.stepOf(call)
      if (step === null) return undefined
      steps.push(step)
    }
    const loop = compileLoop([...steps.slice(turn), ...steps.slice(0, turn)])
    const length = steps.reduce((sum, { source }) => sum + source.length, 0)
    this.#loops.set(key, loop, 1000 + 10 * length)
    return loop
  }

  /** @returns number of the step that reverts, if one does. */
  #run(
    loop: Loop,
    startPoint: number,
    steps: number,
    indices: Indices | undefined,
    out: Uint32Array,
    allowance: Allowance,
  ): number | undefined {
    if (steps > this.#tableSteps) return farOff(loop, startPoint, steps, indices, out, allowance)
    const table = this.#prefixes.upTo(loop, startPoint, steps, allowance)
    if (table.length <= steps) return table.length
    if (indices === undefined) return undefined
    const { first, list, count } = indices
    if (list === undefined) out.set(table.subarray(first, first + count))
    else for (let i = 0; i < count; i++) out[i] = table[list[i]!]!
    return undefined
  }

  /**
   * Makes the call in which a step reverts, for what it reverts with.
   *
   * @returns false when it does not revert: the loop was wrong, and is not used again.
   */
  *#confirmRevert(
    list: CallList,
    found: { loop: Loop; startPoint: number; turn: number; steps: number; reverting: number },
    indices: Indices | undefined,
    allowance: Allowance,
  ): Work<boolean> {
    const { loop, startPoint, turn, steps, reverting } = found
    const piece =
      list.mode === 'each' ? { made: reverting - 1, count: 1 } : pieceOf(reverting, steps, indices)
    const x = valueAt(loop, startPoint, piece.made, allowance)
    const number = (turn + piece.made) % list.calls.length
    const call = list.calls[list.mode === 'each' ? number : 0]!
    const calldata = stepsCalldata(list, x, piece.count, number)
    const outcome = yield* answer(this.#book, call, calldata, allowance)
    if (outcome.status === 'reverted') {
      const before = reverting - 1 - piece.made
      const values = new Uint32Array(before + 1).fill(x)
      loop.fill(x, values, 1, before, piece.made % loop.calls, allowance.budget)
      const cause = { kind: 'step', step: reverting, x: values[before]! } as const
      throw new RunReverted(bytesToHex(outcome.data), cause)
    }
    for (const one of list.calls) this.#book.distrustStep(one)
    this.#loops.delete(`${turn}/${list.key}`)
    return false
  }
}

/** Values at indices beyond a table: by leaps where the steps are of a kind that allows it, else by making them all. */
const farOff: typeof sweep = (loop, ...rest) =>
  loop.leap === undefined ? sweep(loop, ...rest) : leapTo(loop, loop.leap, ...rest)

/** s(step); no step up to it reverts. */
function valueAt(loop: Loop, startPoint: number, step: number, allowance: Allowance): number {
  if (step === 0) return startPoint
  const out = new Uint32Array(1)
  const indices = { count: 1, first: step, list: undefined, max: step }
  farOff(loop, startPoint, step, indices, out, allowance)
  return out[0]!
}
