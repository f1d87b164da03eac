import { bytesToHex } from 'viem/utils'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'
import type { RunningInstance } from '#lib/protocol/definition.ts'
import type { Allowance, Coroutine } from '../allowance.ts'
import type { CallList } from '../plan.ts'
import { RunExhausted, RunReverted } from '../run.ts'
import type { TranslationCache } from '../steps/translation-cache.ts'
import { BudgetExceeded, type SpecialisedStep } from '../types.ts'
import { OVERFLOW } from '../walk/rejections.ts'
import { byCalls, callTransformation } from './by-calls.ts'
import type { Indices } from './indices.ts'
import { compileLoop, type Loop } from './loop.ts'
import { chunkOf, stepsCalldata } from './runner-calls.ts'
import { sweep } from './sweep.ts'

const MAX_UINT32 = 0xffff_ffff

export interface SequencesOptions {
  readonly translations: TranslationCache
  /** Size limit of the cache of compiled loops, in bytes. */
  readonly loopBytes: number
  /** Steps up to which all values of a sequence are kept while it is run. */
  readonly tableSteps: number
}

/** Computes the values of dimensions that have transformations. */
export class Sequences {
  readonly #translations: TranslationCache
  readonly #loops: ByteLru<string, Loop>
  readonly #tableSteps: number

  constructor({ translations, loopBytes, tableSteps }: SequencesOptions) {
    this.#translations = translations
    this.#loops = new ByteLru(loopBytes)
    this.#tableSteps = tableSteps
  }

  /**
   * Writes the values at the indices to `out`.
   *
   * @throws RunReverted, RunExhausted
   */
  *values(
    list: CallList,
    { startPoint, transformationShift: shift }: RunningInstance,
    indices: Indices,
    out: Uint32Array,
    allowance: Allowance,
  ): Coroutine<void> {
    const turn = shift % list.calls.length
    // Shift plus index is checked arithmetic in the Runner: the steps before the overflow do run.
    const overflows = list.calls.length > 1 && shift + indices.max > MAX_UINT32
    const steps = overflows ? MAX_UINT32 - shift : indices.max
    const selection = overflows ? undefined : indices
    const sequence = { startPoint, turn, steps }
    if (!(yield* this.#byLoop(list, sequence, selection, out, allowance))) {
      yield* byCalls(this.#translations, list, sequence, selection, out, allowance)
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
  ): Coroutine<boolean> {
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

  *#loopOf(list: CallList, turn: number): Coroutine<Loop | undefined> {
    const key = `${turn}/${list.key}`
    const cachedLoop = this.#loops.get(key)
    if (cachedLoop) return cachedLoop
    const steps: SpecialisedStep[] = []
    for (const call of list.calls) {
      const step = yield* this.#translations.stepOf(call)
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
    if (indices === undefined || steps > this.#tableSteps)
      return sweep(loop, startPoint, steps, indices, out, allowance)
    const { first, list, count } = indices
    const isWhole = list === undefined && first === 0
    const table = isWhole ? out : new Uint32Array(steps + 1)
    table[0] = startPoint
    for (let offset = 0; offset < steps; ) {
      const chunk = allowance.nextChunk(steps - offset)
      const valueCount = loop.fill(
        table[offset]!,
        table,
        offset + 1,
        chunk,
        offset % loop.calls,
        allowance.budget,
      )
      offset += valueCount
      if (valueCount < chunk) return offset + 1
    }
    if (isWhole) return undefined
    if (list === undefined) out.set(table.subarray(first))
    else for (let i = 0; i < count; i++) out[i] = table[list[i]!]!
    return undefined
  }

  /**
   * Repeats the call in which a step reverts, for its revert data.
   *
   * @returns false when it does not revert: the loop was wrong and is removed from the cache.
   */
  *#confirmRevert(
    list: CallList,
    revert: { loop: Loop; startPoint: number; turn: number; steps: number; reverting: number },
    indices: Indices | undefined,
    allowance: Allowance,
  ): Coroutine<boolean> {
    const { loop, startPoint, turn, steps, reverting } = revert
    const chunk =
      list.mode === 'each' ? { offset: reverting - 1, count: 1 } : chunkOf(reverting, steps, indices)
    const x = valueAt(loop, startPoint, chunk.offset, allowance)
    const number = (turn + chunk.offset) % list.calls.length
    const call = list.calls[list.mode === 'each' ? number : 0]!
    const calldata = stepsCalldata(list, x, chunk.count, number)
    const outcome = yield* callTransformation(this.#translations, call, calldata, allowance)
    if (outcome.status === 'reverted') {
      const before = reverting - 1 - chunk.offset
      const values = new Uint32Array(before + 1).fill(x)
      loop.fill(x, values, 1, before, chunk.offset % loop.calls, allowance.budget)
      const cause = { kind: 'step', step: reverting, x: values[before]! } as const
      throw new RunReverted(bytesToHex(outcome.data), cause)
    }
    for (const one of list.calls) this.#translations.rejectStep(one)
    this.#loops.delete(`${turn}/${list.key}`)
    return false
  }
}

/** s(step), where no step up to it reverts. */
function valueAt(loop: Loop, startPoint: number, step: number, allowance: Allowance): number {
  if (step === 0) return startPoint
  const out = new Uint32Array(1)
  const indices = { count: 1, first: step, list: undefined, max: step }
  sweep(loop, startPoint, step, indices, out, allowance)
  return out[0]!
}
